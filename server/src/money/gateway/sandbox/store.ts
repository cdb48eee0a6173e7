import type { Sql } from '../../../platform/db/db.ts'
import type { ChargeOutcome, CreateCharge, RefundOutcome } from '../gateway.ts'
import type { Token } from './sandbox.ts'

export interface SandboxCharge {
  readonly gatewayChargeId: string
  readonly amount: number
  readonly currency: string
  readonly succeededKey: string | null
  readonly succeededReference: string | null
}

export interface PaymentMethod {
  readonly reference: string
  readonly behaviour: Token
}

/** Saves a payment method. A repeated key returns the first. */
export async function savePaymentMethod(
  sql: Sql,
  method: PaymentMethod & { readonly key: string; readonly now: Date },
): Promise<PaymentMethod | undefined> {
  const [saved] = await sql<PaymentMethod[]>`
    insert into sandbox_payment_methods (reference, key, behaviour, created_at)
    values (${method.reference}, ${method.key}, ${method.behaviour}, ${method.now})
    on conflict (key) do update set key = excluded.key
    returning reference, behaviour`
  return saved
}

export async function findPaymentMethods(sql: Sql, references: readonly string[]): Promise<Map<string, PaymentMethod>> {
  const rows = await sql<PaymentMethod[]>`
    select reference, behaviour from sandbox_payment_methods where reference = any(${references as string[]}::text[])`
  return new Map(rows.map(row => [row.reference, row]))
}

/** Locks payment methods, so that their charges run in sequence. Returns the charge object that each has paid, if any. */
export async function lockPayers(sql: Sql, references: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ reference: string; gatewayChargeId: string | null }[]>`
    select reference, paid_charge_id as "gatewayChargeId" from sandbox_payment_methods
    where reference = any(${references as string[]}::text[])
    order by reference for no key update`
  return new Map(
    rows.flatMap(({ reference, gatewayChargeId }) => (gatewayChargeId ? [[reference, gatewayChargeId]] : [])),
  )
}

/** Stores the charge object that each payment method has paid. */
export async function savePayers(
  sql: Sql,
  payers: readonly { reference: string; gatewayChargeId: string }[],
): Promise<void> {
  if (payers.length === 0) return
  await sql`
    update sandbox_payment_methods as m set paid_charge_id = x."gatewayChargeId"
    from jsonb_to_recordset(${sql.json(payers as never)}) as x ("reference" text, "gatewayChargeId" text)
    where m.reference = x."reference"`
}

/** Creates charge objects with new keys. Returns all by key, as first created. */
export async function createCharges(
  sql: Sql,
  requests: readonly (CreateCharge & { readonly gatewayChargeId: string })[],
  now: Date,
): Promise<Map<string, SandboxCharge>> {
  const made = await sql<(SandboxCharge & { key: string })[]>`
    insert into sandbox_charges (gateway_charge_id, key, amount, currency, metadata, created_at)
    select "gatewayChargeId", "key", "amount", "currency", "metadata", ${now}
    from jsonb_to_recordset(${sql.json(requests as never)}) as x (
      "gatewayChargeId" text, "key" text, "amount" bigint, "currency" text, "metadata" jsonb)
    order by "key"
    on conflict (key) do nothing
    returning key, ${columns(sql)}`
  const charges = new Map<string, SandboxCharge>(made.map(row => [row.key, row]))
  const seen = requests.map(({ key }) => key).filter(key => !charges.has(key))
  for (const key of seen) {
    const charge = await findChargeByKey(sql, key)
    if (charge !== null) charges.set(key, charge)
  }
  return charges
}

export async function findChargeByKey(sql: Sql, key: string): Promise<SandboxCharge | null> {
  const [row] = await sql<SandboxCharge[]>`select ${columns(sql)} from sandbox_charges where key = ${key}`
  return row ?? null
}

/** Every change of a charge object needs this lock. */
export async function lockCharge(sql: Sql, gatewayChargeId: string): Promise<SandboxCharge | null> {
  const [row] = await sql<SandboxCharge[]>`
    select ${columns(sql)} from sandbox_charges where gateway_charge_id = ${gatewayChargeId} for no key update`
  return row ?? null
}

/** Locks any number, in one order. */
export async function lockCharges(sql: Sql, gatewayChargeIds: readonly string[]): Promise<Map<string, SandboxCharge>> {
  const rows = await sql<SandboxCharge[]>`
    select ${columns(sql)} from sandbox_charges where gateway_charge_id = any(${gatewayChargeIds as string[]}::text[])
    order by gateway_charge_id for no key update`
  return new Map(rows.map(row => [row.gatewayChargeId, row]))
}

/** Stores the successes of attempts of different charge objects. A charge object succeeds once. */
export async function takeMoney(
  sql: Sql,
  attempts: readonly { gatewayChargeId: string; key: string; reference: string }[],
  now: Date,
): Promise<void> {
  if (attempts.length === 0) return
  await sql`
    update sandbox_charges as c
    set succeeded_key = x."key", succeeded_reference = x."reference", succeeded_at = ${now}
    from jsonb_to_recordset(${sql.json(attempts as never)}) as x ("gatewayChargeId" text, "key" text, "reference" text)
    where c.gateway_charge_id = x."gatewayChargeId" and coalesce(c.succeeded_key, x."key") = x."key"`
}

export interface Confirmation {
  readonly reference: string
  readonly outcome: ChargeOutcome
}

/** A success is stored in the charge object. */
export async function findConfirmation(sql: Sql, gatewayChargeId: string, key: string): Promise<Confirmation | null> {
  const [row] = await sql<Confirmation[]>`
    select succeeded_reference as reference, '{"kind": "succeeded"}'::jsonb as outcome from sandbox_charges
    where gateway_charge_id = ${gatewayChargeId} and succeeded_key = ${key}
    union all
    select reference, outcome from sandbox_confirmations
    where gateway_charge_id = ${gatewayChargeId} and key = ${key}
    limit 1`
  return row ?? null
}

export interface NewConfirmation extends Confirmation {
  readonly gatewayChargeId: string
  readonly key: string
}

/** Stored attempts without success. */
export async function findConfirmations(
  sql: Sql,
  attempts: readonly { gatewayChargeId: string; key: string }[],
): Promise<NewConfirmation[]> {
  return await sql<NewConfirmation[]>`
    select c.gateway_charge_id as "gatewayChargeId", c.key, c.reference, c.outcome
    from sandbox_confirmations as c
    join unnest(${attempts.map(each => each.gatewayChargeId)}::text[], ${attempts.map(each => each.key)}::text[])
      as x (gateway_charge_id, key) on c.gateway_charge_id = x.gateway_charge_id and c.key = x.key`
}

export async function saveConfirmations(sql: Sql, confirmed: readonly NewConfirmation[], now: Date): Promise<void> {
  if (confirmed.length === 0) return
  await sql`
    insert into sandbox_confirmations (gateway_charge_id, key, reference, outcome, confirmed_at)
    select "gatewayChargeId", "key", "reference", "outcome", ${now}
    from jsonb_to_recordset(${sql.json(confirmed as never)}) as x (
      "gatewayChargeId" text, "key" text, "reference" text, "outcome" jsonb)
    on conflict (gateway_charge_id, key) do update set outcome = excluded.outcome`
}

export async function findRefund(sql: Sql, gatewayChargeId: string, key: string): Promise<RefundOutcome | null> {
  const [row] = await sql<{ outcome: RefundOutcome }[]>`
    select outcome from sandbox_refunds where gateway_charge_id = ${gatewayChargeId} and key = ${key}`
  return row?.outcome ?? null
}

export async function sumRefunded(sql: Sql, gatewayChargeId: string): Promise<number> {
  const [row] = await sql<{ refunded: number }[]>`
    select coalesce(sum(amount), 0)::bigint as refunded from sandbox_refunds
    where gateway_charge_id = ${gatewayChargeId} and outcome ->> 'kind' = 'succeeded'`
  return row?.refunded ?? 0
}

export async function insertRefund(
  sql: Sql,
  refund: { gatewayChargeId: string; key: string; amount: number; outcome: RefundOutcome; now: Date },
): Promise<void> {
  await sql`
    insert into sandbox_refunds (gateway_charge_id, key, amount, outcome, refunded_at)
    values (${refund.gatewayChargeId}, ${refund.key}, ${refund.amount}, ${sql.json({ ...refund.outcome })}, ${refund.now})`
}

const columns = (sql: Sql) => sql`
  gateway_charge_id as "gatewayChargeId", amount, currency,
  succeeded_key as "succeededKey", succeeded_reference as "succeededReference"`
