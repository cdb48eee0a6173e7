import { pageOfAllReleases, REVIEW_QUEUE } from '../../catalog/releases/list.ts'
import { isUndecided } from '../../core/catch-up.ts'
import type { Ports } from '../../ports.ts'
import { findBillingProgress } from '../catch-up/store.ts'
import { pageOfDisputes } from '../lists/disputes.ts'
import { listDiscrepancies } from '../reconciliations/store.ts'
import { findOwed } from '../refunds/store.ts'
import { listQuarantined, listUnsettledCharges, listUnsettledRefunds } from '../reports/unsettled.ts'
import { listUnrated } from '../tax/address-store.ts'
import { listFailedTaxRecords } from '../tax/record-store.ts'

/** Enough to say "50 or more". */
const MOST = 50

const LIVE = { merchantType: 'MERCHANT', seenFrom: {} } as const

/** Something that waits for a person of the operator. */
export interface OperatorNeed {
  /** "2 releases wait for review". */
  readonly words: string
  /** The page that settles the need. */
  readonly at: 'catch-up' | 'reviews' | 'disputes' | 'owed' | 'money' | 'tax'
  readonly since?: Date
}

/** Everything that waits for a person of the operator. */
export async function findOperatorNeeds({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<readonly OperatorNeed[]> {
  const { sql } = db
  const page = { now: clock.now(), limit: MOST }
  const reviews = (await pageOfAllReleases({ db }, REVIEW_QUEUE, { limit: MOST })).items
  const disputes = (await pageOfDisputes({ db }, { scope: LIVE, waitsAt: page.now }, { limit: MOST })).items
  const charges = await listUnsettledCharges(sql, { ...page, state: 'STUCK' })
  const refunds = await listUnsettledRefunds(sql, { ...page, state: 'STUCK' })
  const quarantined = await listQuarantined(sql, MOST)
  const discrepancies = await listDiscrepancies(sql, MOST)
  const owed = await findOwed(sql, MOST)
  const unrated = await listUnrated(sql, MOST)
  const unrecorded = await listFailedTaxRecords(sql, MOST)
  const catchUp = (await findBillingProgress(sql))?.catchUp ?? null
  const isWaiting = catchUp !== null && isUndecided(catchUp, page.now)
  const money = { at: 'money' } as const
  return [
    ...need(isWaiting ? 1 : 0, 'decision about missed charges', 'decisions about missed charges', {
      ...{ at: 'catch-up', since: catchUp?.outageUntil },
    }),
    ...need(reviews.length, 'release waits for review', 'releases wait for review', {
      ...{ at: 'reviews', since: reviews[0]?.createdAt },
    }),
    ...need(disputes.length, 'dispute waits for evidence', 'disputes wait for evidence', {
      ...{ at: 'disputes', since: disputes.at(-1)?.createdAt },
    }),
    ...need(charges.length, 'charge is stuck', 'charges are stuck', { ...money, since: charges[0]?.startedAt }),
    ...need(refunds.length, 'refund is stuck', 'refunds are stuck', { ...money, since: refunds[0]?.startedAt }),
    ...need(owed.length, 'refund failed and is owed', 'refunds failed and are owed', { at: 'owed' }),
    ...need(discrepancies.length, 'difference from the gateway’s books', 'differences from the gateways’ books', {
      ...{ ...money, since: discrepancies[0]?.firstSeenAt },
    }),
    ...need(quarantined.length, 'row is quarantined', 'rows are quarantined', money),
    ...need(unrated.length, 'merchant has no tax rate of its address', 'merchants have no tax rate of their address', {
      ...{ at: 'tax', since: unrated[0]?.checkedAt },
    }),
    ...need(
      unrecorded.length,
      'booking is not in the books of the tax provider',
      'bookings are not in the books of the tax provider',
      {
        ...{ at: 'tax', since: unrecorded[0]?.bookedAt },
      },
    ),
  ]
}

function need(
  count: number,
  one: string,
  many: string,
  { at, since }: { readonly at: OperatorNeed['at']; readonly since?: Date | undefined },
): OperatorNeed[] {
  if (count === 0) return []
  const words = count === 1 ? `1 ${one}` : `${count === MOST ? `${MOST} or more` : count} ${many}`
  return [{ words, at, ...(since && { since }) }]
}
