import type { Sql } from '../../db/db.ts'
import type { ChargeOutcome, CreateCharge, RefundOutcome } from '../gateway.ts'
import type { Token } from './tokens.ts'

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

/** Does nothing where the key was seen before. */
export async function insertPaymentMethod(
  sql: Sql,
  method: PaymentMethod & { readonly key: string; readonly now: Date },
): Promise<void> {
  await sql`
    insert into sandbox_payment_methods (reference, key, behaviour, created_at)
    values (${method.reference}, ${method.key}, ${method.behaviour}, ${method.now})
    on conflict (key) do nothing`
}

export async function findPaymentMethodByKey(sql: Sql, key: string): Promise<PaymentMethod | null> {
  const [row] = await sql<PaymentMethod[]>`
    select reference, behaviour from sandbox_payment_methods where key = ${key}`
  return row ?? null
}

export async function lockPaymentMethod(sql: Sql, reference: string): Promise<PaymentMethod | null> {
  const [row] = await sql<PaymentMethod[]>`
    select reference, behaviour from sandbox_payment_methods where reference = ${reference} for no key update`
  return row ?? null
}

/** Does nothing where the key was seen before. */
export async function insertCharge(
  sql: Sql,
  { gatewayChargeId, key, amount, currency, metadata, now }: CreateCharge & { gatewayChargeId: string; now: Date },
): Promise<void> {
  await sql`
    insert into sandbox_charges (gateway_charge_id, key, amount, currency, metadata, created_at)
    values (${gatewayChargeId}, ${key}, ${amount}, ${currency}, ${sql.json({ ...metadata })}, ${now})
    on conflict (key) do nothing`
}

export async function findChargeByKey(sql: Sql, key: string): Promise<SandboxCharge | null> {
  const [row] = await sql<SandboxCharge[]>`select ${columns(sql)} from sandbox_charges where key = ${key}`
  return row ?? null
}

/** Everything that happens to a charge object happens under this lock, one after the other. */
export async function lockCharge(sql: Sql, gatewayChargeId: string): Promise<SandboxCharge | null> {
  const [row] = await sql<SandboxCharge[]>`
    select ${columns(sql)} from sandbox_charges where gateway_charge_id = ${gatewayChargeId} for no key update`
  return row ?? null
}

export async function hasPaidAnother(sql: Sql, reference: string, gatewayChargeId: string): Promise<boolean> {
  const [row] = await sql<{ paid: boolean }[]>`
    select exists (
      select 1 from sandbox_charges
      where succeeded_reference = ${reference} and gateway_charge_id <> ${gatewayChargeId}) as paid`
  return row?.paid === true
}

/** Takes the money. Says whether it did: a charge object that has succeeded never does so again. */
export async function takeMoney(
  sql: Sql,
  taken: { gatewayChargeId: string; key: string; reference: string; now: Date },
): Promise<boolean> {
  const result = await sql`
    update sandbox_charges
    set succeeded_key = ${taken.key}, succeeded_reference = ${taken.reference}, succeeded_at = ${taken.now}
    where gateway_charge_id = ${taken.gatewayChargeId} and succeeded_key is null`
  return result.count === 1
}

export interface Confirmation {
  readonly reference: string
  readonly outcome: ChargeOutcome
}

export async function findConfirmation(sql: Sql, gatewayChargeId: string, key: string): Promise<Confirmation | null> {
  const [row] = await sql<Confirmation[]>`
    select reference, outcome from sandbox_confirmations
    where gateway_charge_id = ${gatewayChargeId} and key = ${key}`
  return row ?? null
}

export async function saveConfirmation(
  sql: Sql,
  { gatewayChargeId, key, reference, outcome, now }: Confirmation & { gatewayChargeId: string; key: string; now: Date },
): Promise<void> {
  await sql`
    insert into sandbox_confirmations (gateway_charge_id, key, reference, outcome, confirmed_at)
    values (${gatewayChargeId}, ${key}, ${reference}, ${sql.json({ ...outcome })}, ${now})
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
