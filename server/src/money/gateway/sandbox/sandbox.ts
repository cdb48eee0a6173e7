import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import { isPayable } from '../../../core/credit.ts'
import type { NewId } from '../../../core/id.ts'
import type { Db } from '../../../platform/db/db.ts'
import { gather } from '../../../platform/db/sql.ts'
import type { ConfirmCharge, CreateCharge, Gateway } from '../gateway.ts'
import * as books from './books.ts'
import { cancel, confirmAll, keyOf } from './confirm.ts'
import { readEvent } from './event.ts'
import { callThrough, type Faults, orUnknown } from './faults.ts'
import { refund } from './refund.ts'
import * as store from './store.ts'
import { isToken, labelOf, type Token } from './tokens.ts'

export interface SandboxOptions {
  /** A connection of its own: a gateway is somebody else, and never part of our transactions. */
  readonly db: Db
  readonly clock: Clock
  readonly newId: NewId
  readonly faults?: Faults
  /** Signs its events. Absent: none is believed. */
  readonly eventSecret?: string
  /** Refuses the amounts that a real gateway refuses, as beside one it must. Default: takes any. */
  readonly isStrict?: boolean
}

/** A gateway inside the service, for test merchants and demonstrations: behaves by token, and keeps its own books. */
export function createSandbox({ db, clock, newId, faults, eventSecret, isStrict = false }: SandboxOptions): Gateway {
  const through = <T>(call: string, work: () => Promise<T>) => callThrough(faults, call, work)
  const own = { db, clock }
  const createOne = gather(
    (requests: readonly CreateCharge[]) =>
      store.createCharges(
        db.sql,
        requests.map(request => ({ ...request, gatewayChargeId: `ch_${newId()}` })),
        clock.now(),
      ),
    ({ key }) => key,
  )
  const confirmOne = gather((requests: readonly ConfirmCharge[]) => confirmAll(own, requests), keyOf)
  return {
    name: 'sandbox',
    // A charge is two calls: at 200 ms each, 500 charges a second are 200 under way.
    atOnce: 400,

    // No page: what its element would be given is the token itself.
    beginPaymentMethod: async () => ({ clientSecret: 'tok_ok' satisfies Token }),

    savePaymentMethod: ({ token, key }) =>
      through('savePaymentMethod', async () => {
        if (!isToken(token)) return null
        await store.insertPaymentMethod(db.sql, { reference: `pm_${newId()}`, key, behaviour: token, now: clock.now() })
        const method = await store.findPaymentMethodByKey(db.sql, key)
        assert(method?.behaviour === token, 'a key of the sandbox was used for another token')
        return { reference: method.reference, label: labelOf(token) }
      }),

    createCharge: request =>
      through('createCharge', async () => {
        if (isStrict && !isPayable(request.amount, request.currency)) return { refused: 'amount_not_payable' }
        const charge = await createOne(request)
        const isSame = charge?.amount === request.amount && charge.currency === request.currency
        assert(charge && isSame, 'a key of the sandbox was used for another charge')
        return { gatewayChargeId: charge.gatewayChargeId }
      }),

    confirmCharge: request =>
      orUnknown(() =>
        through('confirmCharge', async () => {
          const outcome = await confirmOne(request)
          assert(outcome, 'the sandbox has no such charge, or no such payment method')
          return outcome
        }),
      ),

    findConfirmation: ({ gatewayChargeId, key }) =>
      orUnknown(() =>
        through('findConfirmation', async () => {
          const confirmation = await store.findConfirmation(db.sql, gatewayChargeId, key)
          return confirmation?.outcome ?? null
        }),
      ),

    cancelCharge: request => orUnknown(() => through('cancelCharge', () => cancel(own, request))),

    findCharge: ({ key }) =>
      through('findCharge', async () => {
        const charge = await store.findChargeByKey(db.sql, key)
        return charge && { gatewayChargeId: charge.gatewayChargeId }
      }),

    refund: request => orUnknown(() => through('refund', () => refund(own, request))),

    findRefund: ({ gatewayChargeId, key }) =>
      orUnknown(() => through('findRefund', () => store.findRefund(db.sql, gatewayChargeId, key))),

    findMoney: gatewayChargeId => through('findMoney', () => books.findMoney(db.sql, gatewayChargeId)),

    listTouched: ({ since }) => through('listTouched', () => books.listTouched(db.sql, since)),

    readEvent: posted => readEvent(posted, eventSecret),
  }
}
