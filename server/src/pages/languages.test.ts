import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../test/support/people.ts'
import { newTill } from '../../test/support/purchases.ts'
import { fieldsOf, newVisitor } from '../../test/support/visitor.ts'
import { createWorld, type World } from '../../test/support/world.ts'

/** Marks each translated text as ⟦text⟧ (platform/web/say.ts). */
const PSEUDO = { 'accept-language': 'x-pseudo', accept: 'text/html', 'sec-fetch-mode': 'navigate' }

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

/** Content of other people and names, which no translation changes. */
const NAMES = [
  ...['Tillhook', 'Table Planner', 'Acme Apps', 'Corner Shop', 'Corner Shop LLC', 'Pro', 'Plus', 'Free', 'Sandbox'],
  ...[
    'United States',
    'Stories',
    'Ann Baker',
    'Test card ok',
    'Test card insufficient funds',
    'English',
    'Deutsch',
    'Français',
    'Español',
    'Stripe',
    'PDF',
    'JavaScript',
    'Visa',
    'USD',
    'EUR',
    'UTC',
    'VAT',
  ],
]

/** The text of the page that is neither translated nor content. */
function untranslated(html: string): string[] {
  const body = html.replace(/^[\s\S]*<body/, '<body').replaceAll(/<(script|style|code|svg|noscript)[\s\S]*?<\/\1>/g, '')
  const attributes = [...body.matchAll(/\s(?:aria-label|title|placeholder|alt)="([^"]+)"/g)].map(([, text]) => text)
  const texts = [
    ...body
      .split(/<[^>]*>/)
      .join('\n')
      .split('\n'),
    ...attributes.map(text => `${text}`),
  ]
  // A sentence may span several elements: what lies within the marks is translated.
  let depth = 0
  const outside = texts.map(text =>
    [...text].filter(char => {
      if (char === '⟦') depth++
      const isOutside = depth === 0
      if (char === '⟧') depth--
      return isOutside
    }),
  )
  return outside
    .map(chars => withoutContent(chars.join('')))
    .filter(text => /\p{L}{2,}/u.test(text))
    .map(text => text.trim())
}

function withoutContent(text: string): string {
  const plain = text
    .replaceAll(/&[a-z#0-9]+;/g, ' ')
    .replaceAll(/\S+@\S+/g, '')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
    .replaceAll(/\d{1,2} [A-Z][a-z]+ \d{4}/g, '')
  return NAMES.toSorted((one, other) => other.length - one.length).reduce(
    (left, name) => left.replaceAll(name, ''),
    plain,
  )
}

async function assertTranslated(
  look: (path: string) => Promise<{ statusCode: number; body: string }>,
  paths: string[],
) {
  for (const path of paths) {
    const { statusCode, body } = await look(path)
    assert.ok(statusCode < 300 || [403, 404].includes(statusCode), `${path}: ${statusCode}`)
    assert.deepEqual(untranslated(body), [], path)
  }
}

/** The page of a login that waits for a decision. */
async function deviceAddress(): Promise<string> {
  const { body } = await world.ask(null, 'POST', '/device-logins')
  return `/device?code=${body.userCode}`
}

test('every text of a merchant’s pages is translated', async () => {
  const planId = await world.plan({ name: 'Pro', trialPeriodDays: 0, cancelPolicy: 'BILLING' })
  const plusId = await world.plan({ name: 'Plus' })
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(planId)
  const dunned = await world.merchant()
  const late = await dunned.renewWith(planId, 'tok_insufficient_funds')
  await world.call('POST', `/businesses/${shop.businessId}/approvals`, { appId: world.appId })
  for (const [merchant, subscription] of [
    [shop, String(subscriptionId)],
    [dunned, String(late.subscriptionId)],
  ] as const) {
    const { businessId } = merchant
    const person = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
    const browser = newVisitor(world.app, person.token)
    const { list } = await world.call('GET', `/businesses/${businessId}/invoices`)
    const { list: methods } = await world.call('GET', `/businesses/${businessId}/payment-methods`)
    const own = `/my/subscriptions/${subscription}`
    const stores = `/businesses/${businessId}/stores`
    const { storeId } = await world.call('POST', stores, { displayName: 'Corner Shop' })
    const device = { name: 'Corner Shop', serialNumber: 'Corner Shop' }
    const { deviceId } = await world.call('POST', `${stores}/${storeId}/devices`, device)
    await assertTranslated(
      path => browser.get(path, PSEUDO),
      [
        ...['/my/subscriptions', own, `${own}/cancel`, '/my/invoices', `/my/invoices/${list[0].invoiceId}`],
        ...(merchant === shop
          ? [
              `${own}/change`,
              `${own}/change/preview?planId=${plusId}&when=NOW`,
              `${own}/change/preview?planId=${plusId}&when=PERIOD_END`,
              `${own}/move`,
              '/my/apps',
              '/my/apps/find',
              '/my/apps/find?q=zz',
              `/my/apps/find/${world.appId.replace('urn:aid:', '')}`,
              '/my/invoices?page=9',
            ]
          : []),
        ...[
          '/my/payment-methods',
          '/my/payment-methods/add',
          '/my/terminals?done=terminal',
          `/my/terminals/${deviceId.replace('urn:tid:', '')}/close`,
          `/my/terminals/stores/${storeId}/close`,
          '/my/staff',
          '/my/staff/new',
          '/my/business',
          '/people',
          '/people/invite',
        ],
        ...methods.map(
          ({ paymentMethodId }: { paymentMethodId: string }) => `/my/payment-methods/${paymentMethodId}/remove`,
        ),
        ...[
          '/account',
          '/account/second-factor',
          '/my/nowhere',
          '/search',
          '/search?q=zz',
          '/search?q=Pro',
          '/keys',
          '/device',
          '/device?code=none',
          await deviceAddress(),
        ],
        ...['/device?said=APPROVED', '/device?said=DENIED'],
      ],
    )
  }
})

test('every text of the purchase screen is translated, before and after the purchase', async () => {
  const till = await newTill(world)
  for (const card of ['tok_ok', 'tok_insufficient_funds']) {
    await world.call('POST', `/businesses/${till.businessId}/payment-methods`, { gateway: 'sandbox', token: card })
    const screen = await till.open({ planId: await world.plan({ name: 'Pro', trialPeriodDays: 0 }) })
    const browser = newVisitor(world.app)
    await browser.get(screen.url)
    const look = (path: string) => browser.get(path, PSEUDO)
    await assertTranslated(look, [screen.path, `${screen.path}/card`])
    await browser.post(`${screen.path}/buy`, fieldsOf((await browser.get(screen.path)).body, `${screen.path}/buy`))
    await assertTranslated(look, [screen.path])
    await world.work()
    await assertTranslated(look, [screen.path])
  }
  const trial = await till.open({ planId: await world.plan({ name: 'Plus', trialPeriodDays: 14 }) })
  const browser = newVisitor(world.app)
  await browser.get(trial.url)
  await assertTranslated(path => browser.get(path, PSEUDO), [trial.path])
  await browser.post(`${trial.path}/cancel`, fieldsOf((await browser.get(trial.path)).body, `${trial.path}/cancel`))
  const { body } = await browser.get(trial.path, PSEUDO)
  assert.deepEqual(untranslated(body), [])
})

test('every text of the public pages is translated', async () => {
  const browser = newVisitor(world.app)
  await assertTranslated(path => browser.get(path, PSEUDO), ['/', '/status', '/sign-in', '/reset-password', '/nowhere'])
})

test('a merchant with the account language German reads German in any browser', async () => {
  const shop = await world.merchant()
  const person = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  const browser = newVisitor(world.app, person.token)
  const account = await browser.get('/account')
  const fields = { ...fieldsOf(account.body, '/account/language'), language: 'de' }
  assert.equal((await browser.post('/account/language', fields)).statusCode, 303)
  const { body } = await browser.get('/my/subscriptions', { 'accept-language': 'fr' })
  assert.match(body, /<html lang="de"/)
  assert.match(body, /<h1>Abonnements<\/h1>/)
  const wrong = await browser.post('/account/language', { ...fields, language: 'xx' })
  assert.equal(wrong.statusCode, 400)
})
