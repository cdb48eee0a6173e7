import { createAccount, createAccountLink, createTransfer } from './connect.ts'
import { answerDispute } from './disputes.ts'
import type { Params } from './form.ts'
import { cancelIntent, confirmIntent, createIntent } from './intents.ts'
import { attachMethod, createSetupIntent } from './methods.ts'
import { createRefund } from './refunds.ts'
import { get, list, put, type State, type Thing } from './state.ts'
import { createCalculation, createReversal, createTransaction } from './tax.ts'

type Route = readonly [method: string, path: RegExp, work: (state: State, params: Params, id: string) => Thing]

/** As much of Stripe's API as the adapter uses. */
const ROUTES: readonly Route[] = [
  ['POST', /^\/v1\/customers$/, (state, { metadata = {} }) => put(state, 'cus', 'customer', { metadata })],
  ['GET', /^\/v1\/customers\/(\w+)$/, (state, _params, id) => get(state, id)],
  ['POST', /^\/v1\/setup_intents$/, createSetupIntent],
  ['GET', /^\/v1\/setup_intents\/(\w+)$/, (state, params, id) => expand(state, get(state, id), params)],
  ['GET', /^\/v1\/payment_methods\/(\w+)$/, (state, _params, id) => get(state, id)],
  ['POST', /^\/v1\/payment_methods\/(\w+)\/attach$/, (state, params, id) => attachMethod(state, id, params)],
  ['POST', /^\/v1\/payment_intents$/, createIntent],
  ['GET', /^\/v1\/payment_intents$/, listIntents],
  ['GET', /^\/v1\/payment_intents\/(\w+)$/, (state, params, id) => expand(state, get(state, id, 'intent'), params)],
  ['POST', /^\/v1\/payment_intents\/(\w+)$/, update],
  [
    'POST',
    /^\/v1\/payment_intents\/(\w+)\/confirm$/,
    (state, params, id) => confirmIntent(state, get(state, id), params),
  ],
  [
    'POST',
    /^\/v1\/payment_intents\/(\w+)\/cancel$/,
    (state, _params, id) => cancelIntent(state, get(state, id, 'intent')),
  ],
  ['GET', /^\/v1\/charges$/, (state, params) => listOf(state, 'charge', params, 'payment_intent')],
  ['POST', /^\/v1\/refunds$/, createRefund],
  ['GET', /^\/v1\/refunds$/, (state, params) => listOf(state, 'refund', params, 'payment_intent')],
  ['POST', /^\/v1\/accounts$/, createAccount],
  ['GET', /^\/v1\/accounts\/(\w+)$/, (state, _params, id) => get(state, id)],
  ['POST', /^\/v1\/account_links$/, createAccountLink],
  ['POST', /^\/v1\/transfers$/, createTransfer],
  ['GET', /^\/v1\/transfers$/, (state, params) => listOf(state, 'transfer', params, 'transfer_group')],
  ['GET', /^\/v1\/transfers\/(\w+)$/, (state, _params, id) => get(state, id)],
  ['GET', /^\/v1\/disputes\/(\w+)$/, (state, _params, id) => get(state, id)],
  ['POST', /^\/v1\/disputes\/(\w+)$/, answerDispute],
  ['POST', /^\/v1\/tax\/calculations$/, createCalculation],
  ['POST', /^\/v1\/tax\/transactions\/create_from_calculation$/, createTransaction],
  ['POST', /^\/v1\/tax\/transactions\/create_reversal$/, createReversal],
  ['GET', /^\/v1\/disputes$/, (state, params) => listOf(state, 'dispute', params, 'payment_intent')],
]

/** Null: there is no such address. */
export function perform(state: State, method: string, path: string, params: Params): Thing | null {
  for (const [of, pattern, work] of ROUTES) {
    const found = method === of ? pattern.exec(path) : null
    if (found) return work(state, params, found[1] ?? '')
  }
  return null
}

function update(state: State, { metadata = {} }: Params, id: string): Thing {
  const intent = get(state, id, 'intent')
  Object.assign(intent.metadata, metadata)
  return intent
}

function listIntents(state: State, params: Params): Thing {
  if (params.customer !== undefined) get(state, params.customer, 'customer')
  return listOf(state, 'payment_intent', params, 'customer')
}

function listOf(state: State, object: string, params: Params, filter: string): Thing {
  return list(state, object, params, thing => params[filter] === undefined || thing[filter] === params[filter])
}

/** Replaces ids with objects. `a.b` also replaces the id `b` within `a`. */
function expand(state: State, thing: Thing, { expand: names = {} }: Params): Thing {
  const paths = Object.values(names as Params).map(name => String(name).split('.'))
  return paths.reduce((expanded, path) => expandPath(state, expanded, path), thing)
}

function expandPath(state: State, thing: Thing, [name, ...rest]: readonly string[]): Thing {
  const found = name === undefined ? undefined : state.things.get(thing[name])
  if (name === undefined || found === undefined) return thing
  return { ...thing, [name]: expandPath(state, found, rest) }
}
