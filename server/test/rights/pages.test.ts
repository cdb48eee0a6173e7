import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import type { PersonRole, Workspace } from '../../src/core/membership.ts'
import { type Operation, RIGHTS } from '../../src/core/rights.ts'
import type { AnyPage } from '../../src/platform/http/page.ts'
import { everythingOf } from '../matrix/everything.ts'
import { fieldsOf } from '../matrix/samples.ts'
import { makeTenant, reveals, type Tenant } from '../matrix/tenant.ts'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { newVisitor, type Visitor } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'
import { CALLERS, type CallerName, type Row } from './table.ts'

/*
 * Every page with every kind of person, who opens and posts it with the ids of one tenant. Pages are of the workspace that somebody
 * is signed in to, so there is no other's: who is of elsewhere finds nothing of the tenant, and changes nothing. Those about
 * webhooks are of the tenant's developers, and of every operator.
 */

type Person = CallerName | 'nobody'
type Expected = 'sign in' | 'second factor' | 'forbidden' | 'not there' | 'shown'

/** The part of the tenant that the person owns. */
type Own = 'nothing' | 'the merchant' | 'the webhooks' | 'everything'

/** Which of `CALLERS`, whose words and roles are held against the table. */
const PEOPLE: Readonly<Partial<Record<Person, Own>>> = {
  nobody: 'nothing',
  'another merchant': 'nothing',
  'one who looks after the merchant': 'the merchant',
  'a developer of the organization': 'the webhooks',
  'one who looks after the organization': 'the webhooks',
  'a developer of another organization': 'nothing',
  'an operator who signed in': 'everything',
  'an operator who only looks': 'everything',
  'an operator without a second factor': 'nothing',
}

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

for (const [name, own] of Object.entries(PEOPLE) as [Person, Own][]) {
  test(`${name}: every page has the expected status, and shows and changes nothing of another tenant`, async () => {
    const tenant = await makeTenant(world)
    const { browser, csrf } = await visitorOf(name, tenant)
    let before: Awaited<ReturnType<typeof everythingOf>> | undefined
    const faults: string[] = []
    for (const page of world.app.pages.toSorted((a, b) => turnOf(a) - turnOf(b))) {
      const whose = isOwn(own, page) ? 'own' : 'foreign'
      // They delete the package and the hook, which every snapshot reads.
      if (whose === 'own' && /^(withdrawOwnRelease|deleteOwnHook)$/.test(page.name) && mayChange(name)) continue
      const secrets = whose === 'own' ? [] : [...tenant.everyId, ...tenant.marks.ofMerchant]
      // Their own webhooks come first: those they may change.
      if (!hasWebhooks(own) || whose === 'foreign' || !mayChange(name)) before ??= await everythingOf(world, tenant)
      const [url, form] = [addressOf(page, tenant), page.method === 'GET' ? {} : formOf(page, tenant, csrf)]
      const asked = page.method === 'GET' ? browser.get(url) : browser.post(url, form)
      const { statusCode, body, headers } = await asked
      // An operator who sees a workspace as its viewer has no pages of the operator.
      if (page.path.endsWith('/see-as')) await browser.post('/stop-viewing', { csrf })
      const answered = `${name}: ${page.method} ${page.path}: ${statusCode} ${headers.location ?? ''}`
      const isRight = isAsExpected(expectedOf(name, whose, page), page, statusCode, String(headers.location ?? ''))
      if (!isRight) faults.push(`${answered}, not ${expectedOf(name, whose, page)}`)
      // People may see their own input again: the URL and the form's fields.
      const sent = [url, ...Object.values(form)].join(' ')
      const leaked = secrets.filter(one => !sent.includes(one) && reveals(body, one))
      if (leaked.length > 0) faults.push(`${answered} reveals ${leaked}`)
    }
    assert.deepEqual(faults, [])
    assert.deepEqual(await everythingOf(world, tenant), before, 'something was changed')
  })
}

function isOwn(own: Own, { path }: AnyPage): boolean {
  // Every merchant sees the apps on sale.
  if (path.startsWith('/my/apps/find')) return true
  // Every page shows the merchant's name to its own people.
  if (isOfOperator(path)) return own === 'everything' || own === 'the merchant'
  if (isOfDeveloper(path)) return own !== 'nothing'
  return own === 'the merchant' || (hasWebhooks(own) && isOfWebhooks(path))
}

function hasWebhooks(own: Own): boolean {
  return own === 'the webhooks' || own === 'everything'
}

function isOfOperator(path: string): boolean {
  return /^\/ops(\/|$)/.test(path)
}

function isOfDeveloper(path: string): boolean {
  return /^\/dev(\/|$)/.test(path)
}

function isOfWebhooks(path: string): boolean {
  return path.startsWith('/webhooks')
}

function mayChange(name: Person): boolean {
  return name !== 'nobody' && !isLacking(name, 'hooks.manage')
}

async function visitorOf(name: Person, { ids }: Tenant): Promise<{ browser: Visitor; csrf: string }> {
  const token = await sessionOf(name, ids)
  const browser = newVisitor(world.app, token)
  const { body } = await browser.get(token === undefined ? '/sign-in' : '/account')
  return { browser, csrf: /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '' }
}

async function sessionOf(name: Person, ids: Tenant['ids']): Promise<string | undefined> {
  const { businessId = '', organizationId = '' } = ids
  const developer = async (id: string, role: PersonRole) => newPersonOf({ kind: 'DEVELOPER', organizationId: id }, role)
  const merchant = async (id: string, role: PersonRole) => newPersonOf({ kind: 'MERCHANT', businessId: id }, role)
  switch (name) {
    case 'nobody':
      return undefined
    case 'another merchant':
      return (await merchant((await world.merchant()).businessId, 'OWNER')).token
    case 'one who looks after the merchant':
      return (await merchant(businessId, 'VIEWER')).token
    case 'a developer of another organization':
      return (await developer(world.organizationId, 'ADMIN')).token
    case 'a developer of the organization':
      return (await developer(organizationId, 'ADMIN')).token
    case 'one who looks after the organization':
      return (await developer(organizationId, 'VIEWER')).token
    default: {
      const role = name === 'an operator who only looks' ? 'VIEWER' : 'ADMIN'
      const operator = await newPersonOf({ kind: 'OPERATOR' }, role)
      if (name !== 'an operator without a second factor') await proveSecondFactor(world, operator)
      return operator.token
    }
  }
}

/** The person has the sample's name: they may rename their own account, and the name appears in the workspace's list. */
const newPersonOf = (workspace: Workspace, role: PersonRole) => newPerson(world, workspace, role, { name: 'text' })

/** The hidden fields of our forms: the shown price and the once id. */
const SHOWN = {
  amount: '500',
  price: '500',
  next: '0',
  once: v7(),
  draftId: v7(),
  messageId: v7(),
  noteId: v7(),
  revision: '0',
}

/** Forms that need a password send a wrong one, so that no resource ends on the way. */
function formOf(page: AnyPage, { ids }: Tenant, csrf: string): Record<string, string> {
  const fields = { ...fieldsOf(page.form, { ...ids, ...SHOWN }), password: 'a wrong password', csrf }
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]))
}

function addressOf({ path }: AnyPage, { ids }: Tenant): string {
  const named: Tenant['ids'] = { ...ids, notificationId: ids.deliveryId ?? '', month: '2025-01' }
  return path.replace(/:(\w+)/g, (_, name) => String(named[name] ?? 'none').replace(/^urn:\w+:/, ''))
}

/** Signing out comes last. */
function turnOf({ path }: AnyPage): number {
  if (isOfWebhooks(path) || isOfDeveloper(path)) return -2
  return isOfOperator(path) ? -1 : Number(path === '/sign-out')
}

/** By the table of decisions 3 as table.ts reads it. */
function expectedOf(name: Person, whose: 'own' | 'foreign', { operation, signIn, path }: AnyPage): Expected {
  const isOfThing = /:/.test(path)
  if (operation === 'public') return isOfThing ? 'not there' : 'shown'
  if (name === 'nobody') return signIn === 'required' ? 'sign in' : 'shown'
  if (isOfOperator(path) && CALLERS[name].column !== 'operator') return 'not there'
  if (isOfDeveloper(path) && CALLERS[name].column !== 'developer') return 'not there'
  const isForMerchants = path.startsWith('/my/') || path === '/applications/authorize/approve'
  if (isLacking(name, operation) || (isForMerchants && CALLERS[name].column !== 'merchant')) {
    return name === 'an operator without a second factor' ? 'second factor' : 'forbidden'
  }
  return isOfThing && whose === 'foreign' ? 'not there' : 'shown'
}

function isLacking(name: CallerName, operation: Operation): boolean {
  const { column, of, lacks }: Row = CALLERS[name]
  return lacks?.(operation) || column === null || of[RIGHTS[operation][column]] === 'forbidden'
}

/** A button for a deleted resource leads back to the list. */
function isAsExpected(expected: Expected, { method }: AnyPage, status: number, location: string): boolean {
  switch (expected) {
    case 'sign in':
      return status === 303 && location.startsWith('/sign-in')
    case 'second factor':
      return status === 303 && location === '/account'
    case 'forbidden':
      return status === 403
    case 'not there':
      return status === 404 || (method === 'POST' && status === 303)
    case 'shown':
      return status !== 403 && status < 500 && !location.startsWith('/sign-in?next')
  }
}
