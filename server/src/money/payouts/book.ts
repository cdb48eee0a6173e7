import { findOrganization, lockOrganization } from '../../catalog/organizations/store.ts'
import type { OrganizationBooking } from '../../core/ledger.ts'
import { CURRENCIES, formatMoney } from '../../core/money.ts'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { type Letter, letter } from '../../platform/mail/letter.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import type { Ports } from '../../ports.ts'
import { insertOrganizationBooking } from '../ledger/store.ts'
import { listBalances } from '../ledger/totals.ts'
import { insertBooking } from './store.ts'
import { sumPendingTransfers } from './transfer-store.ts'

/** A mail about money waits as long as the other mails about money (money/mails). */
const KEPT_MS = 7 * 86_400_000

type Booked = OrganizationBooking & {
  /** The balance after the booking. */
  readonly owed: number
}

/**
 * Books a payout, a fee or an adjustment in the ledger. A payout never exceeds what is owed in its currency, and a
 * reference counts once per kind. Source: decisions 6, "Payouts".
 */
export async function book(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>,
  input: Omit<OrganizationBooking, 'bookingId' | 'createdAt'>,
): Promise<Booked | Rejection> {
  const { organizationId, kind, currency, amount, reference } = input
  if (!CURRENCIES.has(currency)) return rejectField('currency', 'must be an ISO 4217 code')
  if (amount === 0) return rejectField('amount', 'must not be 0')
  return await ports.db.transaction(async tx => {
    // Two payouts at once: the second reads the balance after the first.
    if (!(await lockOrganization(tx.sql, organizationId))) {
      return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
    }
    const { owed, free } = await readOwed(tx.sql, { organizationId, currency })
    if (kind === 'PAYOUT' && amount > free) {
      return reject(
        'PAYOUT_EXCEEDS_OWED',
        `${formatMoney(free, currency)} is owed: pay out at most ${Math.max(0, free)} minor units.`,
      )
    }
    const booking = { ...input, bookingId: ports.newId(), createdAt: ports.clock.now() }
    if (!(await recordPayout({ ...ports, db: tx }, booking))) {
      return reject('REFERENCE_BOOKED', `The organization has a ${kind} with the reference ${reference}.`)
    }
    return { ...booking, owed: kind === 'ADJUSTMENT' ? owed + amount : owed - amount }
  })
}

/** The amount owed to an organization, and the part without pending transfers. Minor units; below 0: the organization owes. */
export async function readOwed(
  sql: Sql,
  { organizationId, currency }: { organizationId: string; currency: string },
): Promise<{ owed: number; free: number }> {
  const balances = await listBalances(sql, { organizationId, live: true })
  const owed = balances.find(balance => balance.currency === currency)?.net ?? 0
  return { owed, free: owed - (await sumPendingTransfers(sql, { organizationId, currency })) }
}

/**
 * Writes a booking with its ledger transaction, and mails a payout to the organization. Returns false, and writes
 * nothing, if the organization has a booking of this kind and reference.
 */
export async function recordPayout(
  ports: Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'> & { readonly db: Db },
  booking: OrganizationBooking,
): Promise<boolean> {
  const { sql } = ports.db
  const { organizationId, kind } = booking
  if (!(await insertBooking(sql, booking))) return false
  await insertOrganizationBooking(sql, { ledgerTransactionId: ports.newId(), booking })
  const organization = await findOrganization(sql, organizationId)
  if (kind !== 'PAYOUT' || organization === null) return true
  const url = `${ports.settings.baseUrl}/dev/statements`
  const mail = payoutMail({ ...booking, to: organization.email, name: organization.name, url })
  await recordMail(ports, mail, { keptMs: KEPT_MS })
  return true
}

type Payout = Pick<OrganizationBooking, 'bookingId' | 'amount' | 'currency' | 'reference'>

/** Tells the organization that the operator paid out, or that a payout came back. */
export function payoutMail(payout: Payout & Pick<Letter, 'to' | 'url'> & { readonly name: string }): Message {
  const { bookingId, amount, currency, reference, to, name, url } = payout
  const money = formatMoney(Math.abs(amount), currency)
  const [subject, first] =
    amount > 0
      ? [`Payout of ${money}`, `We paid ${money} to ${name}.`]
      : [`Payout of ${money} reversed`, `${money} of a payout to ${name} came back.`]
  return letter({
    ...{ id: bookingId, to, subject, button: 'Open the statements', url },
    sentences: [first, `Reference: ${reference}`, `Booking: ${bookingId}`],
  })
}
