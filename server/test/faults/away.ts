import assert from 'node:assert/strict'
import { until } from '../start/program.ts'
import type { Received } from './client.ts'
import type { Stand } from './stand.ts'

/** A service retries its database at least every second. */
const BACK_WITHIN_MS = 60_000

/** The response of a service without its database. */
export function assertAway({ status, headers, body }: Received, what: string): void {
  assert.equal(status, 503, `${what}: ${JSON.stringify(body)}`)
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, what)
  const { error, error_description: _, ...common } = body
  assert.deepEqual(Object.keys(common), ['code', 'httpStatus', 'message', 'developerMessage', 'requestId'])
  // The token endpoint uses the error code of RFC 6749.
  assert.ok(error === undefined || error === 'temporarily_unavailable', what)
  assert.deepEqual([body.code, body.httpStatus], ['SERVICE_UNAVAILABLE', 503])
  assert.equal(body.requestId, headers.get('service-request-id'))
}

/** Waits until the service answers again, without a restart. */
export async function isBack({ client, program }: Pick<Stand, 'client' | 'program'>): Promise<void> {
  await until(program(), 'is ready again', BACK_WITHIN_MS, async () => {
    const ready = await client.send('GET', '/readyz').catch(() => null)
    return ready?.status === 200 || undefined
  })
}
