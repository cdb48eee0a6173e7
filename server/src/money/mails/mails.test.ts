import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { firstIdAt } from '../../core/id.ts'
import { LANGUAGES, MAIL_KINDS } from '../../core/mail-kind.ts'
import { announceAhead } from './announce.ts'
import { sampleMail } from './samples.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T00:00:00Z' })
})
after(() => world?.close())

async function shopWith(card: string, changes: Json = {}) {
  const shop = await world.merchant({ type: 'MERCHANT', card })
  await world.call('PATCH', `/businesses/${shop.businessId}`, {
    emailAddress: `${shop.businessId}@example.com`,
    ...changes,
  })
  const subjects = async () => (await mailsTo(`${shop.businessId}@example.com`)).map(({ subject }) => subject)
  return { shop, subjects }
}

async function mailsTo(address: string) {
  return (await world.mails()).filter(({ to }) => to === address)
}

const pro = () => world.plan({ name: 'Pro', trialPeriodDays: 0 })

test('a payment has one receipt with a link to the invoice', async () => {
  const { shop } = await shopWith('tok_ok')
  await shop.subscribe(await pro())
  await world.work()
  const [receipt, ...more] = await mailsTo(`${shop.businessId}@example.com`)
  const [invoice = {}] = await shop.invoices()
  assert.equal(receipt?.subject.replace(/.*: /, ''), '$5.00')
  assert.match(receipt?.text ?? '', new RegExp(`/my/invoices/${invoice.invoiceId}`))
  assert.match(receipt?.html ?? '', new RegExp(`href="[^"]*/my/invoices/${invoice.invoiceId}"`))
  assert.deepEqual([more, await world.mails()], [[], []])
})

test('two processes queue the mail of an event once, and a crash in between loses nothing', async () => {
  const { shop } = await shopWith('tok_ok')
  await shop.subscribe(await pro())
  await world.work()
  const other = await world.openAnother()
  await Promise.all([world.app.jobs.moneyMails.runOnce(), other.jobs.moneyMails.runOnce()])
  // The outbox of the second process sends to the same list.
  assert.equal((await mailsTo(`${shop.businessId}@example.com`)).length, 1)
})

test('a rolled-back change sends no mail', async () => {
  const { shop, subjects } = await shopWith('tok_ok')
  const { db } = world.app.ports
  await assert.rejects(
    db.transaction(async ({ sql }) => {
      await sql`
        insert into money_mails (money_mail_id, kind, source_id, source_seq, business_id, occurred_at, due_at)
        values (gen_random_uuid(), 'RECEIPT', gen_random_uuid(), 1, ${shop.businessId}, now(), '2026-01-01')`
      throw new Error('rolled back')
    }),
  )
  assert.deepEqual(await subjects(), [])
})

test('a mail is forgotten 400 days after its record, unless the mail is still due', async () => {
  const { db } = world.app.ports
  const ago = (days: number, n: number) =>
    firstIdAt(new Date(world.clock.now().getTime() - days * 86_400_000)).replace(/0$/, String(n))
  const [forgotten, recent, due] = [ago(401, 1), ago(399, 2), ago(401, 3)]
  for (const [id, dueAt] of [
    [forgotten, null],
    [recent, null],
    [due, '2999-01-01'],
  ] as const) {
    await db.sql`
      insert into money_mails (money_mail_id, kind, source_id, source_seq, business_id, occurred_at, due_at)
      values (${id}, 'RECEIPT', ${id}, 1, gen_random_uuid(), '2024-01-01', ${dueAt})`
  }
  await world.app.jobs.oldMoneyMails.runOnce()
  const left = await db.sql`
    select source_id as id from money_mails where money_mail_id = any(${[forgotten, recent, due]}::uuid[]) order by 1`
  assert.deepEqual(
    left.map(({ id }) => id),
    [due, recent],
  )
})

test('a test merchant, and a kind of mail that is switched off, gets no mail', async () => {
  const tester = await world.merchant()
  await tester.subscribe(await pro())
  await world.work()
  const ofMoney = (await world.mails()).filter(({ subject }) => !/ is approved$/.test(subject))
  assert.deepEqual(ofMoney, [])
  const { shop, subjects } = await shopWith('tok_ok', { mailsOff: ['RECEIPT'] })
  await shop.subscribe(await pro())
  await world.work()
  assert.deepEqual(await subjects(), [])
})

test('mails go to the billing e-mail, in the language of the business', async () => {
  const { shop } = await shopWith('tok_ok', { billingEmail: 'buchhaltung@example.com', language: 'de' })
  await shop.subscribe(await pro())
  await world.work()
  const [receipt] = await mailsTo('buchhaltung@example.com')
  assert.match(receipt?.subject ?? '', /^Zahlungsbeleg für /)
  assert.match(receipt?.text ?? '', /5,00 \$/)
})

test('a refund mail shows the refunded amount', async () => {
  const { shop, subjects } = await shopWith('tok_ok')
  await shop.subscribe(await pro())
  await world.work()
  const [invoice = {}] = await shop.invoices()
  await shop.refund(invoice.invoiceId, { amount: 120 })
  await shop.refund(invoice.invoiceId, { amount: 80 })
  await world.work()
  const sent = (await subjects()).filter(subject => /Refund/.test(subject)).sort()
  assert.deepEqual(
    sent.map(subject => /\$[\d.]+/.exec(subject)?.[0]),
    ['$0.80', '$1.20'],
  )
})

test('a mail about a declined payment asks for payment, and is dropped once the invoice is paid', async () => {
  const plan = await world.plan({ name: 'Trial', trialPeriodDays: 1, trialEligibility: 'ALWAYS' })
  const { shop, subjects } = await shopWith('tok_insufficient_funds')
  await shop.subscribe(plan)
  const later = await shopWith('tok_insufficient_funds')
  await later.shop.subscribe(plan)
  world.clock.set('2026-03-02T00:00:01Z')
  await world.work()
  await later.shop.card('tok_ok')
  await world.work()
  const all = await world.mails()
  const of = (businessId: string) => all.filter(({ to }) => to === `${businessId}@example.com`)
  const [failed] = of(shop.businessId)
  const [invoice = {}] = await shop.invoices()
  assert.match(failed?.text ?? '', new RegExp(`Pay \\$5\\.00 now:\n.*/my/invoices/${invoice.invoiceId}\n`))
  assert.match(failed?.text ?? '', /We try again on 3 March 2026\./)
  assert.deepEqual(
    of(later.shop.businessId).map(({ subject }) => /Receipt/.test(subject)),
    [true],
  )
  assert.deepEqual(await subjects(), [])
})

test('the mail about a confirmation at the bank is sent once, with the address of the bank', async () => {
  const plan = await world.plan({ name: 'Asked', trialPeriodDays: 1, trialEligibility: 'ALWAYS' })
  const { shop } = await shopWith('tok_action_required')
  await shop.subscribe(plan)
  world.clock.set('2026-03-03T00:00:02Z')
  await world.work()
  world.clock.set('2026-03-03T01:00:00Z')
  await world.work()
  const sent = (await mailsTo(`${shop.businessId}@example.com`)).filter(({ subject }) => /^Confirm/.test(subject))
  assert.equal(sent.length, 1)
  assert.match(sent[0]?.text ?? '', /\/test-bank\//)
})

test('mails about an expiring card and a yearly renewal are sent once', async () => {
  const yearly = await world.plan({ name: 'Yearly', interval: 'YEAR' })
  const { shop, subjects } = await shopWith('tok_expires_soon')
  await shop.subscribe(yearly)
  await world.work()
  await subjects()
  assert.equal(await announceAhead(world.app.ports), 1)
  assert.equal(await announceAhead(world.app.ports), 0)
  assert.deepEqual(await subjects(), ['Your card expires soon'])
  world.clock.set('2027-02-10T00:00:00Z')
  await announceAhead(world.app.ports)
  const sent = await subjects()
  assert.equal(sent.filter(subject => /renews on/.test(subject)).length, 1)
})

test('a mail that cannot be written is retried later, and the other mails of its batch are sent', async () => {
  await world.mails()
  const [bad, good] = [await shopWith('tok_ok'), await shopWith('tok_ok')]
  const plan = await pro()
  for (const { shop } of [bad, good]) await shop.subscribe(plan)
  await world.work()
  const { sql } = world.app.ports.db
  const { businessId } = bad.shop
  const [before] = await sql`select timezone from businesses where business_id = ${businessId}`
  await sql`update businesses set timezone = 'Nowhere/Else' where business_id = ${businessId}`
  const addressOf = ({ shop }: typeof bad) => `${shop.businessId}@example.com`
  const both = [addressOf(bad), addressOf(good)]
  const recipients = async () => (await world.mails()).map(({ to }) => to).filter(to => both.includes(to))
  assert.deepEqual(await recipients(), [addressOf(good)])
  await sql`update businesses set timezone = ${before?.timezone} where business_id = ${businessId}`
  assert.deepEqual(await recipients(), [])
  world.clock.set(new Date(world.clock.now().getTime() + 11 * 60_000))
  assert.deepEqual(await recipients(), [addressOf(bad)])
})

test('every kind of mail is translated into every language, and user text is escaped', () => {
  for (const language of LANGUAGES) {
    for (const kind of MAIL_KINDS) {
      const { subject, text, html = '' } = sampleMail(kind, language, { app: '<b>App</b>' })
      assert.ok(subject.length > 5 && !/undefined|null|\[object/.test(subject + text), `${kind} ${language}: ${text}`)
      assert.ok(!html.includes('<b>App') && html.includes('&lt;b&gt;App'), `${kind} ${language}`)
    }
  }
})

test('an unknown language, kind or tax id is 400 and names the field', async () => {
  const { shop } = await shopWith('none')
  for (const [field, value] of [
    ['language', 'xx'],
    ['mailsOff', ['PAYMENT_FAILED']],
    ['taxId', '!'],
    ['billingEmail', 'no address'],
  ] as const) {
    const { status, body } = await world.ask(OPERATOR_KEY, 'PATCH', `/businesses/${shop.businessId}`, {
      body: { [field]: value },
    })
    assert.deepEqual([status, String(body.fields?.[0]?.path).replace(/\[.*/, '')], [400, field])
  }
})
