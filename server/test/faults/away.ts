import assert from 'node:assert/strict'
import { until } from '../start/program.ts'
import type { Heard } from './client.ts'
import type { Stand } from './stand.ts'

/** Here; a service waits for its database at most a second between two tries. */
const BACK_WITHIN_MS = 20_000

/** What a service says while it has no database. */
export function assertAway({ status, headers, body }: Heard, what: string): void {
  assert.equal(status, 503, `${what}: ${JSON.stringify(body)}`)
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, what)
  const { error, error_description: _, ...common } = body
  assert.deepEqual(Object.keys(common), ['code', 'httpStatus', 'message', 'developerMessage', 'requestId'])
  // Of a token alone: RFC 6749 has a word of its own.
  assert.ok(error === undefined || error === 'temporarily_unavailable', what)
  assert.deepEqual([body.code, body.httpStatus], ['SERVICE_UNAVAILABLE', 503])
  assert.equal(body.requestId, headers.get('service-request-id'))
}

/** By itself: nobody starts anything again. */
export async function isBack({ client, program }: Pick<Stand, 'client' | 'program'>): Promise<void> {
  await until(program(), 'is ready again', BACK_WITHIN_MS, async () => {
    const ready = await client.send('GET', '/readyz').catch(() => null)
    return ready?.status === 200 || undefined
  })
}
