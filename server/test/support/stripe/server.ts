import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Account, type Answer, headersOf, inProgress, limited, openAccount } from './account.ts'

/** The fault of a call: `before` any effect, or `after`, when only the response is lost. */
export type Fault = 'closed before' | 'closed after' | '500 before' | '500 after' | 'silent after' | '429' | '409'

export interface FakeStripe extends Omit<Account, 'answer'> {
  readonly url: string
  /** Each request that was carried out or refused: `POST /v1/refunds`. */
  readonly calls: string[]
  /**
   * The next calls that match (`POST /v1/refunds`, or with what they send `POST /v1/refunds?amount=100`) go wrong; the SDK sends one
   * whose connection was closed once more by itself.
   */
  fail(call: RegExp, fault: Fault, times?: number): void
  /** Before the next call that matches is carried out, this happens. */
  meanwhile(call: RegExp, happens: () => Promise<unknown>): void
  close(): Promise<void>
}

/** Stripe's API on this machine, for the real SDK: it keeps state and keys, fails on request, and signs its events. */
export async function startStripe({ now = () => new Date() }: { now?: () => Date } = {}): Promise<FakeStripe> {
  const { answer: answerTo, ...account } = openAccount({ now })
  const faults: { call: RegExp; fault: Fault; left: number }[] = []
  const happenings: { call: RegExp; happens: () => Promise<unknown> }[] = []
  const calls: string[] = []

  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const { pathname, search } = new URL(url, 'http://stripe.test')
    const body = await text(request)
    const call = `${method} ${pathname}`
    const isOf = (one: { call: RegExp }) => one.call.test(call) || one.call.test(`${call}?${body}`)
    const n = happenings.findIndex(isOf)
    if (n >= 0) await happenings.splice(n, 1)[0]?.happens()
    const fault = takeFault(isOf)
    if (fault === 'closed before') return void request.socket.destroy()
    if (fault === '429') return send(response, limited())
    if (fault === '409') return send(response, inProgress())
    const answer = answerTo(
      {
        ...{ method, path: pathname, form: method === 'GET' ? search.slice(1) : body },
        ...{ authorization: request.headers.authorization, key: request.headers['idempotency-key']?.toString() },
      },
      fault === '500 before' || fault === '500 after' ? fault : undefined,
    )
    if (fault !== '500 before') calls.push(call)
    if (fault === 'closed after') return void request.socket.destroy()
    if (fault !== 'silent after') send(response, answer)
  })

  function takeFault(isOf: (fault: { call: RegExp }) => boolean): Fault | undefined {
    const found = faults.find(fault => fault.left > 0 && isOf(fault))
    if (found) found.left--
    return found?.fault
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...account,
    url: `http://127.0.0.1:${port}`,
    calls,
    fail: (call, fault, times = 1) => faults.push({ call, fault, left: times }),
    meanwhile: (call, happens) => happenings.push({ call, happens }),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, headersOf(answer)).end(JSON.stringify(answer.body))
}
