import assert from 'node:assert/strict'
import { type Column, type Operation, RIGHTS, type Right } from '../../src/core/rights.ts'
import type { AnyRoute } from '../../src/platform/http/route.ts'

/*
 * What each word of core/rights.ts gives to each caller who asks about the things of one tenant. Written from decisions 1
 * and 3 alone: it shares no line with core/authorize.ts, so that a mistake there is no mistake here.
 */

type Meaning =
  | 'granted'
  | 'forbidden'
  /** Another's: 404 where an app, a hook or a dispute is asked for, as if there were none; 403 where it is about a business. */
  | 'hidden'
  /** A person asks about the session or membership of another person: not found. */
  | 'stranger'
  /** A caller of another merchant: 403 if the request names the merchant, not found if it names a resource of the merchant, otherwise the caller's own data. */
  | 'elsewhere'
  /** At another location of the merchant, asked about resources of one of its terminals. These resources are not found; the merchant's own are. */
  | 'beside'
  /** A caller for test merchants asks about a real merchant: 403 if the request names the merchant, otherwise the organization's own data. */
  | 'test merchants alone'

/** The expected result. */
export type Expected = 'granted' | 'unauthenticated' | 'forbidden' | 'not found' | 'forbidden or not found' | 'public'

export interface Row {
  /** Null: the token is good for nothing. */
  readonly column: Column | null
  readonly of: Partial<Record<Right, Meaning>>
  /** Operations that the role takes away. */
  readonly lacks?: (operation: string) => boolean
}

const APP = { none: 'forbidden', 'own app': 'hidden' } as const
const FOREIGN_APP = { ...APP, 'related business': 'forbidden', 'approving business': 'forbidden' } as const

const TERMINAL = {
  none: 'forbidden',
  all: 'granted',
  'own business': 'granted',
  'own store': 'granted',
  'own terminal': 'granted',
} as const

/** A token issued to the app for a terminal's user, here without the right SUBSCRIBE. */
const USER_OF_TERMINAL = {
  column: 'appOfBusiness',
  lacks: (operation: string) => /^(hooks|deliveries)\./.test(operation) || operation === 'subscriptions.cancel',
} as const

const MERCHANT = { none: 'forbidden', all: 'granted', 'own business': 'granted', 'own account': 'granted' } as const
const DEVELOPER: Row['of'] = {
  none: 'forbidden',
  'own organization': 'granted',
  'own test merchants': 'granted',
  'own account': 'granted',
}
const OPERATOR = { none: 'forbidden', all: 'granted', 'own account': 'stranger' } as const

/** People, keys and money are for the admins. */
const NOT_OF_MEMBERS = ['people.manage', 'keys.manage', 'invoices.refund', 'organizations.manage', 'tax.manage']

function isChange(operation: string): boolean {
  return !operation.endsWith('.read') && operation !== 'account.manage'
}

/** Decisions 3, as docs/spec-gaps.md reads it: who only works the till does not spend. */
function isBuying(operation: string): boolean {
  return (
    /^terminal\.(purchase|approve)$/.test(operation) ||
    /^subscriptions\.(subscribe|change|cancel|restore)$/.test(operation)
  )
}

/** Who asks. The things asked about are the same tenant's every time. */
export const CALLERS = {
  'no token': { column: null, of: {} },
  'garbage for a token': { column: null, of: {} },
  'an expired token': { column: null, of: {} },
  'a token within the merchant whose approval was revoked': { column: null, of: {} },
  'the app': {
    column: 'app',
    of: { none: 'forbidden', 'own app': 'granted', 'related business': 'granted', 'approving business': 'granted' },
  },
  'an app of another organization': { column: 'app', of: FOREIGN_APP },
  'another app of the organization': { column: 'app', of: FOREIGN_APP },
  'the app within the merchant, to read': {
    column: 'appOfBusiness',
    of: { none: 'forbidden', 'own app, own business': 'granted', 'with SUBSCRIBE': 'forbidden' },
  },
  'the app within the merchant, to subscribe': {
    column: 'appOfBusiness',
    of: { none: 'forbidden', 'own app, own business': 'granted', 'with SUBSCRIBE': 'granted' },
  },
  'the app, for the user of a terminal': {
    ...USER_OF_TERMINAL,
    of: { none: 'forbidden', 'own app, own business': 'granted', 'with SUBSCRIBE': 'forbidden' },
  },
  'the app, for the user of a terminal beside it': {
    ...USER_OF_TERMINAL,
    of: { none: 'forbidden', 'own app, own business': 'beside', 'with SUBSCRIBE': 'forbidden' },
  },
  'the app, for the user of a terminal of another store': {
    ...USER_OF_TERMINAL,
    of: { none: 'forbidden', 'own app, own business': 'beside', 'with SUBSCRIBE': 'forbidden' },
  },
  'the app, for the user of a terminal of another merchant': {
    column: 'appOfBusiness',
    // Hooks of another merchant are hidden before the role counts.
    lacks: operation => operation === 'deliveries.read',
    of: { none: 'forbidden', 'own app, own business': 'elsewhere', 'with SUBSCRIBE': 'forbidden' },
  },
  'the app within another merchant': {
    column: 'appOfBusiness',
    of: { none: 'forbidden', 'own app, own business': 'elsewhere', 'with SUBSCRIBE': 'elsewhere' },
  },
  'the merchant': { column: 'merchant', of: MERCHANT },
  'a manager of the merchant': { column: 'merchant', of: MERCHANT, lacks: operation => operation === 'people.manage' },
  'one who looks after the merchant': { column: 'merchant', of: MERCHANT, lacks: isChange },
  'another merchant': {
    column: 'merchant',
    of: { none: 'forbidden', all: 'granted', 'own business': 'elsewhere', 'own account': 'stranger' },
  },
  'a terminal of the store': {
    column: 'terminal',
    of: TERMINAL,
  },
  'a clerk at a terminal of the store': { column: 'terminal', of: TERMINAL, lacks: isBuying },
  'a terminal beside it in the store': {
    column: 'terminal',
    of: { ...TERMINAL, 'own business': 'beside', 'own terminal': 'elsewhere' },
  },
  'a terminal of another store': {
    column: 'terminal',
    of: { ...TERMINAL, 'own business': 'beside', 'own store': 'forbidden', 'own terminal': 'elsewhere' },
  },
  'a terminal of another merchant': {
    column: 'terminal',
    of: { ...TERMINAL, 'own business': 'elsewhere', 'own store': 'forbidden', 'own terminal': 'elsewhere' },
  },
  'a developer of the organization': {
    column: 'developer',
    of: DEVELOPER,
  },
  'a developer of the organization, about a real merchant of its app': {
    column: 'developer',
    of: { ...DEVELOPER, 'own test merchants': 'test merchants alone' },
  },
  'a member of the organization': {
    column: 'developer',
    of: DEVELOPER,
    lacks: operation => NOT_OF_MEMBERS.includes(operation),
  },
  'one who looks after the organization': { column: 'developer', of: DEVELOPER, lacks: isChange },
  'a developer of another organization': {
    column: 'developer',
    of: { none: 'forbidden', 'own organization': 'hidden', 'own test merchants': 'hidden', 'own account': 'stranger' },
  },
  'the operator': { column: 'operator', of: { ...OPERATOR, 'own account': 'forbidden' } },
  'an operator who signed in': { column: 'operator', of: OPERATOR },
  'an operator who only looks': { column: 'operator', of: OPERATOR, lacks: isChange },
  'an operator without a second factor': {
    column: 'operator',
    of: { none: 'forbidden', all: 'forbidden', 'own account': 'stranger' },
  },
} as const satisfies Record<string, Row>

export type CallerName = keyof typeof CALLERS

export function expectedOf(name: CallerName, route: AnyRoute): Expected {
  const { column, of, lacks }: Row = CALLERS[name]
  const { method, path, operation, orElse } = route
  if (operation === 'public') return 'public'
  if (column === null) return 'unauthenticated'
  const meaningOf = (one: Operation): Meaning => {
    assert.ok(Object.hasOwn(RIGHTS, one), `${method} ${path}: ${one} is not in the table`)
    if (lacks?.(one)) return 'forbidden'
    const word: Right = RIGHTS[one][column]
    const found = of[word]
    assert.ok(found, `${one}: the table gives ${column} "${word}", which says nothing of ${name}`)
    return found
  }
  const first = meaningOf(operation)
  // Decisions 3: "else an OPEN purchase for the merchant to confirm".
  const meaning = first === 'forbidden' && orElse !== undefined ? meaningOf(orElse) : first
  // Another organization is rejected before its app is looked up. Apps name no organization.
  if (meaning === 'hidden' && column === 'developer' && 'organizationId' in queryOf(route)) return 'forbidden'
  if (meaning === 'hidden') return isOfAppOrHook(route) ? 'not found' : 'forbidden'
  if (meaning === 'stranger') return namesOwn(route) ? 'not found' : 'granted'
  if (meaning === 'beside') return namesThingOfLocation(route) ? 'forbidden or not found' : 'granted'
  if (meaning === 'test merchants alone') return isAboutMerchant(route) ? 'forbidden' : 'granted'
  return meaning === 'elsewhere' ? expectedElsewhere(route) : meaning
}

const OF_LOCATION = ['storeId', 'deviceId', 'subscriptionId', 'invoiceId', 'orderId', 'deliveryId', 'purchaseId']

/** Whether something is named that one of the merchant's terminals has for itself. */
function namesThingOfLocation({ params, body }: AnyRoute): boolean {
  const named = [params, body].flatMap(schema => Object.keys(schema?.properties ?? {}))
  return named.some(name => OF_LOCATION.includes(name))
}

/** By its id, or by the id of a thing of it. Their own membership is of the organization. */
function isAboutMerchant(route: AnyRoute): boolean {
  return namesMerchant(route) || /:(subscriptionId|testClockId|orderId|invitationId)/.test(route.path)
}

const queryOf = ({ query }: AnyRoute): object => query?.properties ?? {}

function isOfAppOrHook(route: AnyRoute): boolean {
  const { path } = route
  return (
    path.startsWith('/apps/:appId') ||
    path.startsWith('/hooks') ||
    path.startsWith('/disputes/:') ||
    'appId' in queryOf(route)
  )
}

/** Whether a session or a membership is named. */
function namesOwn({ params, body }: AnyRoute): boolean {
  const named = [params, body].flatMap(schema => Object.keys(schema?.properties ?? {}))
  return named.includes('sessionId') || named.includes('membershipId')
}

function namesMerchant({ params, query, body }: AnyRoute): boolean {
  const named = [params, query, body].flatMap(schema => Object.keys(schema?.properties ?? {}))
  return named.includes('businessId') || named.includes('storeDeviceId')
}

function expectedElsewhere(route: AnyRoute): Expected {
  if (namesMerchant(route)) return 'forbidden'
  const isOfMerchant = /:(?!appId|planId|releaseId|kid|packageName)\w+/.test(route.path)
  return isOfMerchant ? 'forbidden or not found' : 'granted'
}
