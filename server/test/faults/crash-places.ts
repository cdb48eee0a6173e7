import { AsyncLocalStorage } from 'node:async_hooks'
import type { Gateway } from '../../src/money/gateway/gateway.ts'
import { createSandbox } from '../../src/money/gateway/sandbox/sandbox.ts'
import type { Transfers } from '../../src/money/payouts/transfers.ts'
import type { Db } from '../../src/platform/db/db.ts'
import type { Ports } from '../../src/ports.ts'

/** Places where a service can be killed. The work is the name of a background job, or `a request`. */
export type Place =
  | `${'before' | 'after'} the commit of ${Work}`
  | `${'before' | 'after'} ${'createCharge' | 'confirmCharge' | 'refund' | 'transfer'}`
  | `${'before' | 'after'} a delivery`

type Work = 'a request' | 'charges' | 'refunds' | 'renewals' | 'appEndings' | 'payoutTransfers'

/** The background job of a statement; outside a job, a request. */
export const underWay = new AsyncLocalStorage<string>()

/**
 * Ports that call `onPlace` just before or just after each place. After a gateway call, the gateway has carried out the call and the service has no
 * response yet.
 */
export function withPlaces(ports: Ports, gatewayDb: Db, onPlace: (place: string) => void): Ports {
  const answered = new Set<string>()
  const reached = (place: string) => {
    if (place === 'after confirmCharge') answered.add('the commit of charges')
    if (place === 'after refund') answered.add('the commit of refunds')
    const [, commit = ''] = /(the commit of (?:charges|refunds))$/.exec(place) ?? []
    // A claim commits as well, but the place is the commit of the gateway's outcome.
    if (commit !== '' && !answered.has(commit)) return
    if (place.startsWith('after the commit')) answered.delete(commit)
    onPlace(place)
  }
  return {
    ...ports,
    db: dbWithPlaces(ports.db, reached),
    gateways: {
      ...(ports.gateways.stripe && { stripe: gatewayWithPlaces(ports.gateways.stripe, reached) }),
      sandbox: createSandbox({
        ...ports,
        db: gatewayDb,
        faults: { before: call => reached(`before ${call}`), after: call => reached(`after ${call}`) },
      }),
    },
    ...(ports.transfers && { transfers: transfersWithPlaces(ports.transfers, reached) }),
    post: async request => {
      reached('before a delivery')
      const outcome = await ports.post(request)
      reached('after a delivery')
      return outcome
    },
  }
}

/** An external gateway: the places lie around its calls. */
function gatewayWithPlaces(gateway: Gateway, reached: (place: string) => void): Gateway {
  const around = async <T>(call: string, work: Promise<T>): Promise<T> => {
    const result = await work
    reached(`after ${call}`)
    return result
  }
  const begin = (call: string) => reached(`before ${call}`)
  return {
    ...gateway,
    createCharge: request => {
      begin('createCharge')
      return around('createCharge', gateway.createCharge(request))
    },
    confirmCharge: request => {
      begin('confirmCharge')
      return around('confirmCharge', gateway.confirmCharge(request))
    },
    refund: request => {
      begin('refund')
      return around('refund', gateway.refund(request))
    },
  }
}

function transfersWithPlaces(transfers: Transfers, reached: (place: string) => void): Transfers {
  return {
    ...transfers,
    transfer: async request => {
      reached('before transfer')
      const outcome = await transfers.transfer(request)
      reached('after transfer')
      return outcome
    },
  }
}

function dbWithPlaces(db: Db, reached: (place: string) => void): Db {
  return {
    sql: db.sql,
    transaction: async work => {
      const commit = `the commit of ${underWay.getStore() ?? 'a request'}`
      let hasWritten = false
      const result = await db.transaction(async tx => {
        const done = await work(tx)
        // An empty claim commits nothing.
        const [row] = await tx.sql<{ wrote: boolean }[]>`select pg_current_xact_id_if_assigned() is not null as wrote`
        hasWritten = row?.wrote === true
        if (hasWritten) reached(`before ${commit}`)
        return done
      })
      if (hasWritten) reached(`after ${commit}`)
      return result
    },
  }
}
