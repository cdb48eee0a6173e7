import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { signHmacSha1 } from '../../src/core/signature.ts'

/** A listener that outlives the services and keeps the bytes of each POST. */
export interface Inbox {
  readonly url: string
  readonly secret: string
  /** Acknowledged bodies by notification id, in order of arrival. */
  readonly received: ReadonlyMap<string, readonly string[]>
  /** POSTs with a wrong signature. */
  readonly forged: readonly string[]
  /** Replaces the response of 200. */
  answerWith(answer: (response: ServerResponse) => void): void
  close(): Promise<void>
}

export async function openInbox(): Promise<Inbox> {
  const secret = 'secret of the faults'
  const received = new Map<string, string[]>()
  const forged: string[] = []
  let answer = (response: ServerResponse): void => {
    response.writeHead(200).end()
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const body = bytes.toString('utf8')
      const id = String(request.headers['webhook-id'])
      if (request.headers['service-webhook-signature'] !== signHmacSha1(secret, bytes)) forged.push(body)
      received.set(id, [...(received.get(id) ?? []), body])
      answer(response)
    })
    // The sender was killed during a POST.
    request.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    secret,
    received,
    forged,
    answerWith: given => {
      answer = given
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
