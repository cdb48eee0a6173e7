import { RIGHTS } from '../../src/core/rights.ts'
import type { AnyRoute } from '../../src/platform/http/route.ts'
import { type Heard, OPERATOR_KEY, type World } from '../support/world.ts'
import { faultsOf } from './contract.ts'
import { fieldsOf, type Ids } from './samples.ts'
import { bodyOf } from './wrong-values.ts'

/** A request to a route: what is not given is a sample that fits. */
export interface Probe {
  readonly ids: Ids
  /** Path parameters and query as they stand in the address, percent-encoded. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  /** Sent as JSON, or as a form. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly raw?: string | Buffer
  readonly type?: string
  /** Null: none. */
  readonly bearer?: string | null
  /** Beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>>
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`
export const takesBody = ({ method }: AnyRoute) => method === 'POST' || method === 'PUT' || method === 'PATCH'

/** What ends or decides something comes last, so that the rest is tried on what is alive. */
function lastToTry({ method, path }: AnyRoute): boolean {
  return method === 'DELETE' || /\/(retire|end|restore|approve|reject|advance|revoke)$/.test(path)
}

/** What ends the caller's other sessions comes after what asks about one of them, and what ends its own comes last of all. */
export function turnOf(route: AnyRoute): number {
  if (route.path === '/sessions/current' && route.method === 'DELETE') return 5
  // Its terminals close with it.
  if (route.path === '/businesses/:businessId/stores/:storeId' && route.method === 'DELETE') return 4
  if (route.path === '/terminal/sessions/current') return 3
  return route.path === '/users/current/password' ? 2 : Number(lastToTry(route))
}

export interface Prober {
  /** Sends it, and notes under `what` everything that the contract of all routes does not allow. */
  send(route: AnyRoute, what: string, probe: Probe): Promise<Heard>
  /** Notes it, unless it is as it should be. */
  expect(isRight: boolean, route: AnyRoute, what: string, heard: Heard): void
  readonly faults: readonly string[]
  readonly sent: number
}

/** `account`: the token of somebody who is signed in, for what only such have; everything else is asked as the operator. */
export function createProber({ ask }: Pick<World, 'ask'>, account: string = OPERATOR_KEY): Prober {
  const faults: string[] = []
  let sent = 0
  return {
    faults,
    get sent() {
      return sent
    },
    async send(route, what, probe) {
      sent++
      const { bearer, headers: own } = { ...callerOf(route, probe.ids, account), ...probe }
      // Of a POST it is the idempotency key, too: each goes the whole way.
      const requestId = `probe-${sent}-of-${nameOf(route).replaceAll(/\W/g, '-')}`
      const { body, headers } = contentOf(route, probe)
      const heard = await ask(bearer, route.method, addressOf(route, probe), {
        body,
        headers: { ...headers, ...own, 'service-request-id': requestId },
        // Passwords that are wrong on purpose are not to keep the others waiting.
        from: `10.0.${sent >> 8}.${sent & 255}`,
      })
      for (const fault of faultsOf(route, heard, requestId)) faults.push(`${nameOf(route)}, ${what}: ${fault}`)
      return heard
    },
    expect(isRight, route, what, { status, text }) {
      if (!isRight) faults.push(`${nameOf(route)}, ${what}: ${status} ${text.slice(0, 200)}`)
    },
  }
}

/** Who may do what a route does, as far as one caller may: the operator, one with an account, or the tenant's terminal. */
function callerOf({ operation }: AnyRoute, { terminalToken, userSession }: Ids, account: string) {
  if (operation === 'account.manage') return { bearer: account, headers: {} }
  const isOfTerminals = operation !== 'public' && RIGHTS[operation].terminal === 'own terminal'
  if (!isOfTerminals || terminalToken === undefined) return { bearer: OPERATOR_KEY, headers: {} }
  return { bearer: terminalToken, headers: { 'service-user-session': userSession ?? '' } }
}

function addressOf(route: AnyRoute, { ids, params = {}, query }: Probe): string {
  const { package: packageName = '' } = ids
  // A path names the app that there is, a body another.
  const sample = fieldsOf(route.params, { ...ids, packageName })
  const path = route.path.replace(/:(\w+)/g, (_, name) => params[name] ?? encodeURIComponent(String(sample[name])))
  const fields = query ?? new URLSearchParams(fieldsOf(route.query, ids) as Record<string, string>).toString()
  return fields === '' ? path : `${path}?${fields}`
}

function contentOf(route: AnyRoute, probe: Probe): { body?: unknown; headers?: Record<string, string> } {
  const { ids, raw, type = route.accepts === 'form' ? FORM_TYPE : JSON_TYPE } = probe
  const headers = { 'content-type': type }
  if (raw !== undefined) return { headers, body: raw }
  if (route.body === undefined) return {}
  const body = 'body' in probe ? probe.body : fieldsOf(route.body, ids)
  const isForm = route.accepts === 'form'
  return { headers, body: isForm ? new URLSearchParams(body as Record<string, string>).toString() : bodyOf(body) }
}
