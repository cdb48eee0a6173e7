import assert from 'node:assert/strict'
import { codeOf, inviteTo, newPerson, PASSWORD, proveSecondFactor, secretFor } from '../../test/support/people.ts'
import { pngOf } from '../../test/support/pictures.ts'
import { newTill } from '../../test/support/purchases.ts'
import { MULTIPART, multipart } from '../../test/support/upload.ts'
import { fieldsOf, newVisitor } from '../../test/support/visitor.ts'
import { type Merchant, OPERATOR_KEY, type World } from '../../test/support/world.ts'
import { catchUp } from '../platform/audit/story.fixture.ts'
import { sendRelease } from './dev/release.fixture.ts'
import { formOf, type Visitor } from './merchant/merchant.fixture.ts'
import { done, EVIDENCE, manageMoney, member, refundAndCancel } from './money-story.fixture.ts'

/** Submits every form that changes something at least once. A test fails if a form is missing here. */
export async function tellStoryOfPages(world: World): Promise<void> {
  await signUp(world)
  await manageSubscription(world)
  await purchaseAtTill(world)
  await authorizeApp(world)
  await managePeople(world)
  await manageHook(world)
  await workAsOperator(world)
  await setTax(world)
  await setBrand(world)
  await workAsDeveloper(world)
  await manageAccount(world)
  await followMailedLinks(world)
}

async function manageSubscription(world: World): Promise<void> {
  const shop = await world.merchant()
  const ann = await member(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  const [small, large] = [await world.plan({ cancelPolicy: 'BILLING' }), await world.plan({ name: 'Large' })]
  const { subscriptionId } = await shop.subscribe(small)
  const path = `/my/subscriptions/${subscriptionId}`
  done(await ann.send(`${path}/change/preview?planId=${large}&when=PERIOD_END`, {}, `${path}/change`))
  done(await ann.send(path, {}, `${path}/keep`))
  done(await ann.send(`${path}/cancel`))
  done(await ann.send(path, {}, `${path}/restore`))
  await moveSubscription(world, shop, ann)
  const [saved] = (await world.call('GET', `/businesses/${shop.businessId}/payment-methods`)).list
  done(await ann.send('/my/payment-methods/add', { token: 'tok_ok' }))
  const chosen = `/my/payment-methods/${saved.paymentMethodId}/default`
  done(await ann.send('/my/payment-methods', {}, chosen))
  const names = { legalName: 'Corner Shop', doingBusinessAs: 'Corner Shop', emailAddress: 'shop@example.com' }
  const more = { billingEmail: '', taxId: '12-3456789', line1: '', line2: '', city: '', postalCode: '' }
  done(await ann.send('/my/business', { ...names, ...more, language: 'en' }))
  await payOverdue(world)
}

async function moveSubscription(world: World, { businessId }: Merchant, ann: Visitor): Promise<void> {
  const open = (displayName: string) => world.call('POST', `/businesses/${businessId}/stores`, { displayName })
  const [{ storeId }, there] = [await open('Here'), await open('There')]
  const body = { businessId, storeId, planId: await world.plan({ scope: 'STORE' }) }
  const offered = `/my/apps/find/${world.appId.replace('urn:aid:', '')}`
  done(await ann.send(offered, { planId: await world.plan() }))
  const { subscriptionId } = await world.call('POST', `/apps/${world.appId}/subscriptions`, body)
  done(await ann.send(`/my/subscriptions/${subscriptionId}/move`, { storeId: there.storeId }))
  const till = { name: 'Till 1', serialNumber: 'S1' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, till)
  done(await ann.send(`/my/terminals/${deviceId.slice('urn:tid:'.length)}/close`))
  done(await ann.send(`/my/terminals/stores/${storeId}/close`))
}

/** The trial ends with a declined payment; the invoice is paid, and the declined card is removed. */
async function payOverdue(world: World): Promise<void> {
  const at = '2026-01-01T00:00:00Z'
  const shop = await world.merchant({ at, card: 'tok_insufficient_funds' })
  const ann = await member(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  await shop.subscribe(await world.plan({ trialPeriodDays: 1 }))
  await shop.until('2026-01-02T00:00:01Z')
  const [invoice = {}] = await shop.invoices()
  const path = `/my/invoices/${invoice.invoiceId}`
  done(await ann.send(path, {}, `${path}/pay`))
  await world.work()
  const [declined] = (await world.call('GET', `/businesses/${shop.businessId}/payment-methods`)).list
  await shop.card('tok_ok')
  await world.work()
  done(await ann.send(`/my/payment-methods/${declined.paymentMethodId}/remove`))
}

/** Cancels one purchase, completes another, and retries a declined payment with the same card and with a new card. */
async function purchaseAtTill(world: World): Promise<void> {
  const till = await newTill(world)
  const browser = newVisitor(world.app)
  const press = async (path: string, action: string, changed = {}) => {
    const fields = fieldsOf((await browser.get(path)).body, action)
    assert.equal((await browser.post(action || path, { ...fields, ...changed })).statusCode, 303, path)
  }
  const open = async (wanted: { planId: string; replace?: boolean }) => {
    const screen = await till.open(wanted)
    await browser.get(screen.url)
    return screen.path
  }
  const left = await open({ planId: await world.plan() })
  await press(left, `${left}/cancel`)
  const bought = await open({ planId: await world.plan() })
  await press(bought, `${bought}/buy`)
  await world.work()
  await till.merchant.card('tok_insufficient_funds')
  const dearer = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 1_999 }] })
  const declined = await open({ planId: dearer, replace: true })
  await press(declined, `${declined}/buy`)
  await world.work()
  await press(declined, `${declined}/pay`)
  await world.work()
  await press(`${declined}/card`, '', { token: 'tok_ok' })
}

async function authorizeApp(world: World): Promise<void> {
  const { businessId } = await world.merchant({ card: 'none' })
  const ann = await member(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  const back = 'https://app.example/back'
  await world.call('PATCH', `/apps/${world.appId}`, { callbackUrls: [back] })
  const asked = new URLSearchParams({ client_id: world.appId, redirect_uri: back })
  done(await ann.send(`/applications/authorize?${asked}`, {}, '/applications/authorize/approve'))
  done(await ann.send(`/my/apps/${world.appId.slice('urn:aid:'.length)}/revoke`))
  done(await ann.send('/my/staff/new', { name: 'Bob', userId: 'bob', passcode: '7391', role: 'CLERK' }))
  const bob = /href="(\/my\/staff\/[0-9a-f-]{36})"/.exec((await ann.get('/my/staff')).text)?.[1] ?? assert.fail('Bob')
  done(await ann.send(bob, { name: 'Bob', passcode: '', role: 'MANAGER', status: 'ACTIVE' }))
  done(await ann.send(`${bob}/remove`))
}

async function managePeople(world: World): Promise<void> {
  const { businessId } = await world.merchant({ card: 'none' })
  const workspace = { kind: 'MERCHANT', businessId } as const
  const ann = await member(world, workspace, 'OWNER')
  const bob = await newPerson(world, workspace, 'MANAGER')
  done(await ann.send('/people/invite', { email: 'new@corner.example', role: 'VIEWER' }))
  const pressed = async (what: string) => {
    const action = new RegExp(`/people/invitations/[0-9a-f-]+/${what}`).exec((await ann.get('/people')).text)?.[0]
    done(await ann.send('/people', {}, action))
  }
  await pressed('resend')
  await pressed('revoke')
  done(await ann.send(`/people/${bob.membershipId}/role`, { role: 'VIEWER' }))
  done(await ann.send(`/people/${bob.membershipId}/remove`))
  const operator = await member(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, operator.person)
  const colleague = await newPerson(world, { kind: 'OPERATOR' }, 'VIEWER')
  for (const what of ['disable', 'enable']) done(await operator.send(`/people/${colleague.membershipId}/${what}`))
}

async function workAsOperator(world: World): Promise<void> {
  const operator = await member(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, operator.person)
  const { appId, organizationId } = await world.developer()
  const developer = await member(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const app = appId.slice('urn:aid:'.length)
  for (const decision of ['approve', 'reject']) {
    const { releaseId } = await world.call('POST', `/apps/${appId}/releases`, { version: '1', plans: [] })
    const path = `/ops/reviews/${app}/${releaseId}`
    done(await operator.send(path, { text: 'Why the camera?' }, `${path}/ask`))
    const own = `/dev/apps/${app}/releases/${releaseId}`
    done(await developer.send(own, { text: 'To scan.' }, `${own}/answer`))
    done(await operator.send(path, { reason: 'Ask for fewer permissions.' }, `${path}/${decision}`))
  }
  const made = await operator.send('/ops/organizations/new', { name: 'Orchard', email: 'dev@orchard.example' })
  done(made)
  const own = made.location.split('?')[0]
  const booking = { kind: 'CREDIT', currency: 'USD', amount: '5.00', reference: 'Welcome' }
  done(await operator.send(`${own}/payouts/book`, booking))
  done(await operator.send(`${own}/invite`, { email: 'dev@orchard.example', role: 'ADMIN' }))
  done(await operator.send('/ops/system/signing-keys'))
  done(await operator.send('/ops/system', {}, '/ops/system/test-mail'))
  const { businessId: subscriber } = await world.merchant()
  const planId = await world.plan({}, appId)
  await world.call('POST', `/apps/${appId}/subscriptions`, { businessId: subscriber, planId })
  done(await operator.send(`/ops/apps/${app}/disable`))
  done(await operator.send(`/ops/apps/${app}/end`))
  done(await operator.send(`/ops/apps/${app}/enable`))
  for (const change of ['disable', 'enable'])
    done(await operator.send(`/ops/organizations/${organizationId}/${change}`))
  await catchUp(world, async () => done(await operator.send('/ops/catch-up', { decision: 'RELEASE' }, '/ops/catch-up')))
  await setUpMerchant(operator)
  const { businessId } = await world.merchant({ card: 'none' })
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Main Street' })
  const device = { name: 'Till 1', serialNumber: 'S1' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  const path = `/ops/merchants/${businessId}`
  const activate = `${path}/terminals/${deviceId.slice('urn:tid:'.length)}/activate`
  for (const seen of [path, own ?? '']) {
    done(await operator.send(seen, {}, `${seen}/see-as`))
    done(await operator.send('/people', {}, '/stop-viewing'))
  }
  const code = await operator.send(path, {}, activate)
  assert.equal(code.status, 200, code.words)
  done(await operator.send(`/ops/terminals/${deviceId.slice('urn:tid:'.length)}/close`))
  done(await operator.send(`${path}/stores/${storeId}/close`))
  await manageMoney(world, operator)
}

async function setUpMerchant(operator: Visitor): Promise<void> {
  const made = await operator.send('/ops/merchants/new', {
    ...{ legalName: 'Harbour Cafe Ltd', doingBusinessAs: '', emailAddress: 'cafe@harbour.example' },
    ...{ country: 'US', timezone: 'UTC', type: 'MERCHANT' },
  })
  done(made)
  const path = made.location.split('?')[0] ?? ''
  done(await operator.send(`${path}/stores/new`, { displayName: 'Pier 4' }))
  const add = /href="([^"]+terminals\/new)"/.exec((await operator.get(path)).text)?.[1] ?? assert.fail('the store')
  done(await operator.send(add, { name: 'Till 1', serialNumber: 'H1' }))
  done(await operator.send(`${path}/invite`, { email: 'owner@harbour.example', role: 'OWNER' }))
}

async function setBrand(world: World): Promise<void> {
  const operator = await member(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, operator.person)
  const fields = { accent: '', mailName: '', supportUrl: '', termsUrl: '', privacyUrl: '', imprintUrl: '' }
  done(await operator.send('/ops/brand', { name: 'Acme Apps', ...fields, act: 'save' }))
  const { hidden = {} } = formOf((await operator.get('/ops/brand')).text, '/ops/brand/logo') ?? {}
  const parts = Object.entries(hidden).map(([name, content]) => ({ name, content: String(content) }))
  const logo = { name: 'logo', type: 'image/png', filename: 'logo.png', content: pngOf() }
  const sent = await world.app.http.inject({
    ...{ method: 'POST', url: '/ops/brand/logo', payload: multipart([...parts, logo]) },
    headers: { ...MULTIPART, cookie: `tillhook=${operator.person.token}` },
  })
  assert.equal(sent.statusCode, 303, sent.body)
  done(await operator.send('/ops/brand', {}, '/ops/brand/remove-logo'))
}

async function setTax(world: World): Promise<void> {
  const operator = await member(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, operator.person)
  const { organizationId } = await world.developer()
  const ann = await member(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const key = { country: 'DE', validFrom: '2026-01-01' }
  const rate = { ...key, behavior: 'EXCLUSIVE', name: 'VAT', rate: '19' }
  const seller = { legalName: 'Apps GmbH', line1: '', city: '', postalCode: '', countryCode: 'DE', taxId: '' }
  done(await ann.send('/dev/tax', { source: 'OWN' }, '/dev/tax/source'))
  done(await ann.send('/dev/tax', seller, '/dev/tax/seller'))
  const renamed = { name: 'Stories Two', email: 'two@stories.example' }
  done(await ann.send('/dev/organization', renamed, '/dev/organization'))
  for (const [person, path] of [
    [operator, '/ops/tax'],
    [ann, '/dev/tax'],
  ] as const) {
    done(await person.send(path, rate, `${path}/rates`))
    done(await person.send(path, key, `${path}/rates/remove`))
  }
}

async function workAsDeveloper(world: World): Promise<void> {
  const { organizationId, appId } = await world.developer()
  const ann = await member(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const merchant = await ann.send('/dev/test-merchants', { name: 'Test café', country: 'US' })
  done(merchant)
  const shop = merchant.location.replace(/\?.*/, '')
  done(await ann.send(`${shop}/clock?by=day`, {}, `${shop}/clock`))
  done(await ann.send(shop, { token: 'tok_ok' }, shop))
  const businessId = shop.split('/').at(-1) ?? ''
  await world.call('POST', `/apps/${world.appId}/subscriptions`, { businessId, planId: await world.plan() })
  await world.work()
  const [{ invoiceId }] = (await world.call('GET', `/businesses/${businessId}/invoices`)).list
  done(await ann.send(shop, { invoiceId, status: 'OPEN' }, `${shop}/dispute`))
  const [{ disputeId }] = (await world.call('GET', `/disputes?businessId=${businessId}`)).disputes
  // The app of the invoice belongs to another organization.
  const dora = await member(world, { kind: 'DEVELOPER', organizationId: world.organizationId }, 'ADMIN')
  done(await dora.send(`/dev/disputes/${disputeId}`, EVIDENCE))
  done(await ann.send(shop, { invoiceId, status: 'LOST' }, `${shop}/dispute`))
  assert.equal((await ann.send(shop, {}, `${shop}/simulator`)).status, 200)
  const trial = { trialPeriodDays: 7 }
  const [small, large] = [await world.plan(trial, appId), await world.plan({ ...trial, name: 'Large' }, appId)]
  done(await ann.send(shop, { planId: small }, shop))
  const plan = /[^"]+\/subscriptions\/[0-9a-f-]{36}\/plan/.exec((await ann.get(shop)).text)?.[0] ?? ''
  done(await ann.send(`${plan}?planId=${large}&when=NOW`, {}, plan))
  const made = await ann.send('/dev/apps/new', { name: 'Planner', packageName: 'com.example.planner.story' })
  assert.equal(made.status, 200, made.words)
  const path = /\/dev\/apps\/[0-9a-f-]{36}/.exec(made.text)?.[0] ?? assert.fail('the app')
  const key = await ann.send(`${path}/keys`, {}, `${path}/keys`)
  assert.equal(key.status, 200, key.words)
  const kid = /TILLHOOK_KEY_ID=([\w-]+)/.exec(key.text)?.[1] ?? assert.fail('the key id')
  done(await ann.send(`${path}/keys/${kid}/revoke`))
  const sent = await sendRelease(ann, path)
  done(sent)
  const release = sent.location.replace(/\?.*/, '')
  done(await ann.send(`${release}/withdraw`))
  done(await ann.send(`${path}/settings`, { name: 'Planner 2', callbackUrls: '' }, `${path}/settings`))
  done(await ann.send(`${path}/settings`, {}, `${path}/settings/sell`))
  done(await ann.send(`${path}/settings`, {}, `${path}/settings/sell`))
  const endpoint = await ann.send(
    `${path}/endpoint`,
    { deliveryUrl: 'http://127.0.0.1:9/', eventTypes: 'ORDER_OPENED' },
    `${path}/endpoint`,
  )
  assert.equal(endpoint.status, 200, endpoint.words)
  await refundAndCancel(world, dora, '/dev')
  done(await dora.send(`/dev/apps/${world.appId.split(':').at(-1)}/plans/${await world.plan()}/retire`))
}

async function manageHook(world: World): Promise<void> {
  const { organizationId, appId } = await world.developer()
  const made = { applicationId: appId, deliveryUrl: 'http://127.0.0.1:9/', secret: 's', eventTypes: ['ORDER_OPENED'] }
  const { id } = await world.call('POST', '/hooks', made)
  const ann = await member(world, { kind: 'DEVELOPER', organizationId }, 'MEMBER')
  assert.match((await ann.send(`/webhooks/${id}/secret`)).text, /whsec_/)
  const resend = `/webhooks/${id}/resend`
  const job = await ann.send(resend, { since: 'DAY', which: 'ALL', startAt: '', endAt: '' }, resend)
  done(job)
  done(await ann.send(job.location, {}, `${job.location}/cancel`))
  done(await ann.send(`/webhooks/${id}/off`))
  done(await ann.send(`/webhooks/${id}/on`, { missed: 'LEAVE' }))
  const edit = `/webhooks/${id}/edit`
  done(await ann.send(edit, { deliveryUrl: 'http://127.0.0.1:9/moved', eventTypes: 'ORDER_OPENED' }, edit))
  done(await ann.send(`/webhooks/${id}/delete`))
}

async function manageAccount(world: World): Promise<void> {
  const { businessId } = await world.merchant({ card: 'none' })
  const ann = await member(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  done(await ann.send('/account', { name: 'Ann Miller' }, '/account/name'))
  done(await ann.send('/account', { language: 'en' }, '/account/language'))
  const of = '/account/second-factor'
  /** The next unused code, half a minute later. */
  const nextCode = (secret: string) => {
    world.clock.set(new Date(world.clock.now().getTime() + 30_000))
    return codeOf(secret, world.clock.now())
  }
  done(await ann.send(of, { password: PASSWORD }, of))
  const { text } = await ann.get(`${of}/scan`)
  const secret = (/id="secret"[^>]*>([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '')
  const confirmed = await ann.send(`${of}/scan`, { code: nextCode(secret) }, `${of}/scan`)
  assert.equal(confirmed.status, 200, confirmed.words)
  const renewal = { password: PASSWORD, code: nextCode(secret) }
  const renewed = await ann.send(of, renewal, `${of}/recovery-codes`)
  assert.equal(renewed.status, 200, renewed.words)
  done(await ann.send(`${of}/remove`, { password: PASSWORD, code: nextCode(secret) }, `${of}/remove`))
  done(await ann.send('/account', { password: PASSWORD, newPassword: `${PASSWORD}!` }, '/account/password'))
}

async function followMailedLinks(world: World): Promise<void> {
  const { businessId } = await world.merchant({ card: 'none' })
  const { email, secret } = await inviteTo(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  await follow(world, '/invitations/accept', secret, { name: 'Ann Baker', password: PASSWORD })
  await world.ask(null, 'POST', '/password-resets', { body: { email } })
  await follow(world, '/reset-password/new', await secretFor(world, email), { newPassword: `${PASSWORD}?` })
}

async function signUp(world: World): Promise<void> {
  const browser = newVisitor(world.app)
  const entered = { key: OPERATOR_KEY, name: 'Olga Op', email: 'olga@operator.example', password: PASSWORD }
  const { body } = await browser.get('/setup')
  assert.equal((await browser.post('/setup', { ...fieldsOf(body, '/setup'), ...entered })).statusCode, 303)
  const developer = newVisitor(world.app)
  const email = 'dev@joined.example'
  const fields = fieldsOf((await developer.get('/join')).body, '/join')
  assert.equal((await developer.post('/join', { ...fields, organization: 'Joined', email })).statusCode, 200)
  await follow(world, '/join/confirm', await secretFor(world, email), { name: 'Dora Dev', password: PASSWORD })
}

async function follow(world: World, path: string, secret: string, entered: Record<string, string>): Promise<void> {
  const browser = newVisitor(world.app)
  await browser.get(`${path}?secret=${secret}`)
  const fields = fieldsOf((await browser.get(path)).body, path)
  assert.equal((await browser.post(path, { ...fields, ...entered })).statusCode, 303, path)
}
