import { RIGHTS } from '../../src/core/rights.ts'
import type { AnyRoute } from '../../src/platform/http/route.ts'
import { type Answer, OPERATOR_KEY, type World } from '../support/world.ts'
import { faultsOf } from './contract.ts'
import { fieldsOf, type Ids } from './samples.ts'
import { bodyOf } from './wrong-values.ts'

/** A request to a route. Missing parts are valid samples. */
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
  /** Headers beside the common ones. */
  readonly headers?: Readonly<Record<string, string>>
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`
export const takesBody = ({ method }: AnyRoute) => method === 'POST' || method === 'PUT' || method === 'PATCH'

/** Destructive operations run last, so that the others have live resources. */
function lastToTry({ method, path }: AnyRoute): boolean {
  return method === 'DELETE' || /\/(retire|end|restore|approve|reject|withdraw|advance|revoke)$/.test(path)
}

/** Ending the caller's other sessions comes after reading one, and ending the caller's own session comes last. */
export function turnOf(route: AnyRoute): number {
  if (route.path === '/sessions/current' && route.method === 'DELETE') return 5
  // The terminals of a closed store are closed too.
  if (route.path === '/businesses/:businessId/stores/:storeId' && route.method === 'DELETE') return 4
  if (route.path === '/terminal/sessions/current') return 3
  return route.path === '/users/current/password' ? 2 : Number(lastToTry(route))
}

export interface Prober {
  /** Sends the request and records under `what` every violation of the rules of all routes. */
  send(route: AnyRoute, what: string, probe: Probe): Promise<Answer>
  /** Records a failure unless `isRight`. */
  expect(isRight: boolean, route: AnyRoute, what: string, answer: Answer): void
  readonly faults: readonly string[]
  readonly sent: number
}

/** `account`: a signed-in person's token, for routes that need one. The operator calls all others. */
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
      // The request id is also the idempotency key of a POST, so each probe uses a new one.
      const requestId = `probe-${sent}-of-${nameOf(route).replaceAll(/\W/g, '-')}`
      const { body, headers } = contentOf(route, probe)
      const answer = await ask(bearer, route.method, addressOf(route, probe), {
        body,
        headers: { ...headers, ...own, 'service-request-id': requestId },
        // Passwords that are wrong on purpose are not to keep the others waiting.
        from: `10.0.${sent >> 8}.${sent & 255}`,
      })
      for (const fault of faultsOf(route, answer, requestId)) faults.push(`${nameOf(route)}, ${what}: ${fault}`)
      return answer
    },
    expect(isRight, route, what, { status, text }) {
      if (!isRight) faults.push(`${nameOf(route)}, ${what}: ${status} ${text.slice(0, 200)}`)
    },
  }
}

/** The caller with the right to the route: the operator, a person with an account, or the tenant's terminal. */
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
