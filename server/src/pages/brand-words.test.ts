import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../test/support/people.ts'
import { newTill } from '../../test/support/purchases.ts'
import { newVisitor } from '../../test/support/visitor.ts'
import { createWorld, type World } from '../../test/support/world.ts'
import { visiting } from './merchant/merchant.fixture.ts'
import { textOfPdf } from './merchant/pdf-text.fixture.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  await world.call('PUT', '/brand', { name: 'Acme Apps', accent: '#0b5bf5' }, 200)
})
after(() => world?.close())

const DEFAULT = /tillhook/i

/** The words of a page: attributes that people do not read are left out. */
function wordsOf(body: string): string {
  return body.replaceAll(/ (href|src|class|name|value|content|action)="[^"]*"/g, '')
}

test("the merchant's pages name the brand and never the product", async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan())
  const [invoice = {}] = await shop.invoices()
  const { token } = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  await world.call('PATCH', `/apps/${world.appId}`, { callbackUrls: ['https://app.example/back'] })
  const ids: Record<string, string> = { subscriptionId, invoiceId: String(invoice.invoiceId) }
  const ann = visiting(world, token)
  const paths = world.app.pages
    .filter(({ method, path }) => method === 'GET' && /^\/(my|account|people|choose-workspace)/.test(path))
    .map(({ path }) => path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? 'unknown'))
  const open = [
    '/',
    '/sign-in',
    '/reset-password',
    '/invitations/accept',
    '/nowhere',
    '/ops',
    '/status',
    '/search?q=zz',
    '/device',
  ]
  const consent = `/applications/authorize?client_id=${world.appId}&context=1`
  let named = 0
  for (const path of [...paths, ...open, consent]) {
    const { text, headers, status } = await ann.get(path)
    if (!String(headers['content-type']).startsWith('text/html')) continue
    assert.doesNotMatch(wordsOf(text), DEFAULT, `${status} ${path}`)
    if (status === 200 && text.includes('Acme Apps')) named++
  }
  assert.ok(named > 15, `${named} pages name the brand`)
})

test('the purchase screen names only the brand', async () => {
  const till = await newTill(world)
  const { url, path } = await till.open({ planId: await world.plan() })
  const browser = newVisitor(world.app)
  await browser.get(url)
  const { body } = await browser.get(path)
  assert.match(body, /Acme Apps/)
  assert.doesNotMatch(wordsOf(body), DEFAULT)
})

test('neither a mail nor a document names the product', async () => {
  await world.mails()
  const shop = await world.merchant({ type: 'MERCHANT' })
  await shop.subscribe(await world.plan())
  await world.work()
  const receipts = await world.mails()
  const { token, email } = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  await world.ask(null, 'POST', '/password-resets', { body: { email } })
  const mails = [...receipts, ...(await world.mails())]
  assert.ok(mails.length > 1)
  assert.ok(mails.some(({ text }) => text.includes('Acme Apps')))
  for (const { subject, text, html = '', fromName } of mails) {
    assert.doesNotMatch(`${subject} ${text} ${wordsOf(html)}`, DEFAULT)
    assert.equal(fromName, 'Acme Apps')
  }
  const [invoice = {}] = await shop.invoices()
  const { rawPayload } = await world.app.http.inject({
    url: `/my/invoices/${invoice.invoiceId}.pdf`,
    headers: { cookie: `tillhook=${token}` },
  })
  assert.match(textOfPdf(rawPayload), /Acme Apps/)
  assert.doesNotMatch(`${textOfPdf(rawPayload)} ${rawPayload.toString('latin1')}`, DEFAULT)
})

test('an authenticator app shows the brand', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  const { token } = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  const { body } = await world.ask(token, 'POST', '/users/current/second-factor', {
    body: { password: 'a horse, a battery, a staple' },
  })
  assert.match(body.otpauthUri, /issuer=Acme%20Apps/)
})
