import assert from 'node:assert/strict'
import { v7 } from 'uuid'
import { newPerson, proveSecondFactor } from '../../test/support/people.ts'
import type { World } from '../../test/support/world.ts'
import type { PersonRole, Workspace } from '../core/membership.ts'
import { formOf, type Seen, type Visitor, visiting } from './merchant/merchant.fixture.ts'

/** Submits the forms of the operator's pages about money. */
export async function manageMoney(world: World, operator: Visitor): Promise<void> {
  await answerDispute(world, operator)
  await pollCharge(world, operator)
  await settleOwed(world, operator)
  await retryPastDue(world)
  const olga = await member(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, olga.person)
  done(await olga.send(`${await refundAndCancel(world, olga, '/ops')}/end`))
  done(
    await olga.send(
      `/ops/organizations/${world.organizationId}`,
      { text: 'Pays late' },
      `/ops/organizations/${world.organizationId}/notes`,
    ),
  )
  const app = `/ops/apps/${world.appId.split(':').at(-1)}`
  done(await olga.send(app, { text: 'Ask for icon' }, `${app}/notes`))
  const { businessId } = await world.merchant()
  done(await olga.send(`/ops/merchants/${businessId}`, { text: 'Moves' }, `/ops/merchants/${businessId}/notes`))
}

/** Refunds a part of a subscription's first invoice and schedules the cancellation. Returns the address of the subscription. */
export async function refundAndCancel(world: World, person: Visitor, side: '/dev' | '/ops'): Promise<string> {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan({ cancelPolicy: 'BILLING' }))
  const [invoice] = await shop.invoices()
  const of = `${side}/apps/${world.appId.split(':').at(-1)}/subscriptions/${subscriptionId}`
  const path = `${of}/invoices/${invoice?.invoiceId}/refund`
  const preview = await person.send(path, { amount: '1.00', reason: '' }, `${path}/preview`)
  done(await person.post(path, formOf(preview.text, path)?.hidden ?? assert.fail(preview.words)))
  done(await person.send(`${of}/cancel`))
  return of
}

export async function member(world: World, workspace: Workspace, role: PersonRole): Promise<Visitor> {
  const person = await newPerson(world, workspace, role)
  return { person, ...visiting(world, person.token) }
}

/** Asserts that a form succeeded: a redirect, but not to the sign-in. */
export function done({ status, location, words }: Seen): void {
  assert.equal(status, 303, words)
  assert.doesNotMatch(location, /sign-in\?next/)
}

export const EVIDENCE = { productDescription: 'A till', customerCommunication: '', uncategorizedText: '' }

async function answerDispute(world: World, operator: Visitor): Promise<void> {
  const shop = await world.merchant()
  await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  const dispute = `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/test-dispute`
  const { disputeId } = await world.call('PUT', dispute, { status: 'OPEN' }, 200)
  done(await operator.send(`/ops/money/disputes/${disputeId}`, EVIDENCE))
}

async function pollCharge(world: World, operator: Visitor): Promise<void> {
  const shop = await world.merchant({ card: 'tok_pending' })
  await shop.subscribeAfterTrial()
  await world.work()
  const { list } = await world.call('GET', '/operations/charges?state=WAITING')
  const path = '/ops/money?state=WAITING'
  done(await operator.send(path, {}, `/ops/money/charges/${list[0].chargeId}/poll?state=WAITING`))
}

async function retryPastDue(world: World): Promise<void> {
  const shop = await world.merchant({ type: 'MERCHANT' })
  const { subscriptionId } = await shop.renewWith(await world.plan(), 'tok_insufficient_funds')
  // A month has passed, and with it every session.
  const operator = await member(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, operator.person)
  const path = '/ops/money/past-due'
  done(await operator.send(path, {}, `${path}/${subscriptionId}/retry`))
}

/** Two refunds that failed and one that is under way. */
async function settleOwed(world: World, operator: Visitor): Promise<void> {
  const { sql } = world.app.ports.db
  const shop = await world.merchant({ type: 'MERCHANT' })
  await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  const { refundId } = await shop.refund(invoice?.invoiceId, { amount: 100 })
  await sql`
    update refunds set status = 'PENDING', failures = 1, last_error = 'Error', next_poll_at = ${new Date(8e12)}
    where refund_id = ${refundId}`
  done(await operator.send('/ops/money', {}, `/ops/money/retry/refund/${refundId}`))
  await world.work()
  const owe = async () => {
    const owed = v7()
    await sql`
      insert into refunds (refund_id, invoice_id, business_id, amount, currency, reason, origin, status, failure, created_at,
        updated_at, poll_count)
      select ${owed}, invoice_id, business_id, 100, currency, '', 'LATE_SUCCESS', 'FAILED', 'expired_card', created_at,
        created_at, 1
      from invoices where invoice_id = ${invoice?.invoiceId}`
    return `/ops/money/owed/${owed}`
  }
  const paid = await owe()
  done(await operator.send(paid, { reference: 'Transfer 4711' }, paid))
  done(await operator.send('/ops/money', {}, `${await owe()}/again`))
}
