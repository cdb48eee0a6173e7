import { type CreditHolder, type CreditMovement, signed } from '../../core/credit.ts'
import type { Sql } from '../../platform/db/db.ts'

/** The key of a holder in a map. */
export function keyOf({ businessId, organizationId, currency }: CreditHolder): string {
  return `${businessId} ${organizationId} ${currency}`
}

/** Locks credit balances in one order. Holders without credit are missing from the map. */
export function lockCredits(sql: Sql, holders: readonly CreditHolder[]): Promise<Map<string, number>> {
  return readCredits(sql, holders, { locked: true })
}

/** Reads credit balances without locks. */
export function findCredits(sql: Sql, holders: readonly CreditHolder[]): Promise<Map<string, number>> {
  return readCredits(sql, holders, { locked: false })
}

async function readCredits(
  sql: Sql,
  holders: readonly CreditHolder[],
  { locked }: { locked: boolean },
): Promise<Map<string, number>> {
  if (holders.length === 0) return new Map()
  const distinct = [...new Map(holders.map(holder => [keyOf(holder), onlyHolder(holder)])).values()]
  const rows = await sql<(CreditHolder & { balance: number })[]>`
    select b.business_id as "businessId", b.organization_id as "organizationId", b.currency, b.balance
    from credit_balances as b
    join jsonb_to_recordset(${sql.json(distinct as never)}) as x (
      "businessId" uuid, "organizationId" uuid, "currency" text)
      on b.business_id = x."businessId" and b.organization_id = x."organizationId" and b.currency = x."currency"
    order by b.business_id, b.organization_id, b.currency
    ${locked ? sql`for no key update of b` : sql``}`
  return new Map(rows.map(row => [keyOf(row), row.balance]))
}

/** The credit that the invoice granted, or the part that was taken back. The invoice must be locked. Minor units. */
export async function findMoved(sql: Sql, invoiceId: string, kind: 'GRANT' | 'TAKE_BACK'): Promise<number> {
  const [row] = await sql<{ amount: number }[]>`
    select amount from credit_movements where invoice_id = ${invoiceId} and kind = ${kind}`
  return row?.amount ?? 0
}

/**
 * Takes `more` off the balance, or returns it if `more` is negative. The balance may fall below 0. `takenBack` is the
 * new total of the invoice.
 */
export async function saveTakenBack(
  sql: Sql,
  of: CreditHolder & { invoiceId: string; takenBack: number; more: number; at: Date },
): Promise<void> {
  await sql`
    update credit_balances set balance = balance - ${of.more}, taken_back = taken_back + ${of.more},
      updated_at = greatest(updated_at, ${of.at})
    where business_id = ${of.businessId} and organization_id = ${of.organizationId} and currency = ${of.currency}`
  await sql`
    insert into credit_movements (invoice_id, kind, business_id, organization_id, currency, amount, created_at)
    values (${of.invoiceId}, 'TAKE_BACK', ${of.businessId}, ${of.organizationId}, ${of.currency}, ${of.takenBack}, ${of.at})
    on conflict (invoice_id, kind) do update set amount = excluded.amount`
}

/** Appends movements and updates the balances. Balances that are drawn on must be locked. */
export async function moveCredits(
  sql: Sql,
  moved: readonly (CreditHolder & CreditMovement & { readonly at: Date })[],
): Promise<void> {
  const sums = new Map<string, CreditHolder & { change: number; at: Date }>()
  for (const movement of moved) {
    const { at } = movement
    const change = (sums.get(keyOf(movement))?.change ?? 0) + signed(movement)
    sums.set(keyOf(movement), { ...onlyHolder(movement), change, at })
  }
  await changeBalances(sql, [...sums.values()])
  await sql`
    insert into credit_movements (invoice_id, kind, business_id, organization_id, currency, amount, created_at)
    select "invoiceId", "kind", "businessId", "organizationId", "currency", "amount", "at"
    from jsonb_to_recordset(${sql.json(moved as never)}) as x (
      "invoiceId" uuid, "kind" text, "businessId" uuid, "organizationId" uuid, "currency" text, "amount" bigint,
      "at" timestamptz)`
}

/** Two statements: the insert of an upsert would check a negative change before adding it to the balance. */
async function changeBalances(
  sql: Sql,
  changes: readonly (CreditHolder & { readonly change: number; readonly at: Date })[],
): Promise<void> {
  const given = sql.json(changes as never)
  await sql`
    insert into credit_balances (business_id, organization_id, currency, balance, taken_back, updated_at)
    select "businessId", "organizationId", "currency", 0, 0, "at"
    from jsonb_to_recordset(${given}) as x ("businessId" uuid, "organizationId" uuid, "currency" text, "at" timestamptz)
    order by "businessId", "organizationId", "currency"
    on conflict do nothing`
  await sql`
    update credit_balances as b set balance = b.balance + x."change", updated_at = greatest(b.updated_at, x."at")
    from jsonb_to_recordset(${given}) as x (
      "businessId" uuid, "organizationId" uuid, "currency" text, "change" bigint, "at" timestamptz)
    where b.business_id = x."businessId" and b.organization_id = x."organizationId" and b.currency = x."currency"`
}

function onlyHolder({ businessId, organizationId, currency }: CreditHolder): CreditHolder {
  return { businessId, organizationId, currency }
}
