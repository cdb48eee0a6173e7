import { v7 } from 'uuid'
import type { PersonRole, Place } from '../../src/core/membership.ts'
import { makeTenant, type Tenant } from '../matrix/tenant.ts'
import { newPerson, proveSecondFactor, signIn } from '../support/people.ts'
import { activatedTerminal, signInAt, terminalToken } from '../support/terminals.ts'
import { expiredTokenOf, tokenByConsent, tokenOf, tokenWithin } from '../support/tokens.ts'
import { OPERATOR_KEY, type World } from '../support/world.ts'
import type { CallerName } from './table.ts'

/** One caller, and the tenant that it asks about. */
export interface Caller {
  readonly tenant: Tenant
  readonly bearer: string | null
  /** Beside the bearer: of a terminal, who is signed in. */
  readonly headers?: Readonly<Record<string, string>>
  /** Words that no answer may tell it. */
  readonly secrets: readonly string[]
}

export interface Stage {
  readonly world: World
  readonly other: Tenant
}

/** A tenant of its own for each caller: some may end what others want to read. */
export async function makeCaller(name: CallerName, stage: Stage): Promise<Caller> {
  const { world, other } = stage
  const tenant = await withHookOfMerchant(world, await makeTenant(world))
  const { businessId = '', organizationId = '' } = tenant.ids
  const [business, organization] = [
    { kind: 'MERCHANT', businessId },
    { kind: 'DEVELOPER', organizationId },
  ] as const
  const [all, ofOther] = [everythingOf(tenant), everythingOf(other)]
  const stranger = (bearer: string | null) => ({ tenant, bearer, secrets: all })
  const owner = (bearer: string) => ({ tenant, bearer, secrets: ofOther })
  const neighbour = (bearer: string) => ({ tenant, bearer, secrets: [...ofOther, ...ofMerchant(tenant)] })
  /** Asks about their own session and membership, and else about the things of the tenant. */
  const personOf = async (place: Place, role: PersonRole) => {
    // Of the name that a sample gives: their own account is theirs to change, and shows among the people of the place.
    const person = await newPerson(world, place, role, { name: 'text' })
    const { sessionId } = await signIn(world, person.email)
    const ids = { ...tenant.ids, sessionId, membershipId: person.membershipId }
    return { tenant: { ...tenant, ids }, bearer: person.token, secrets: ofOther }
  }
  const operatorOf = async (role: PersonRole) => {
    const person = await newPerson(world, { kind: 'OPERATOR' }, role)
    return { person, caller: { tenant, bearer: person.token, secrets: [] } }
  }
  const approve = (rights: string[], id: string, expected: number) =>
    world.call('POST', `/businesses/${id}/approvals`, { appId: tenant.app.appId, rights }, expected)

  switch (name) {
    case 'no token':
      return stranger(null)
    case 'garbage for a token':
      return stranger(`${tenant.token}x`)
    case 'an expired token':
      return stranger(await expiredTokenOf(world, tenant.app))
    case 'a token within the merchant whose approval was revoked': {
      const bearer = await tokenWithin(world, tenant.app, businessId)
      await world.call('DELETE', `/businesses/${businessId}/approvals/${tenant.app.appId}`, undefined, 204)
      return stranger(bearer)
    }
    case 'the app':
      return owner(tenant.token)
    case 'an app of another organization':
      return stranger(other.token)
    case 'another app of the organization': {
      const packageName = `com.example.sibling${v7().replaceAll('-', '')}`
      const sibling = await world.call('POST', '/apps', { organizationId, name: 'Sibling', packageName })
      return stranger(await tokenOf(world, sibling as Tenant['app']))
    }
    case 'the app within the merchant, to read':
      return owner(await tokenByConsent(world, tenant.app, { businessId, rights: 'READ' }))
    case 'the app within the merchant, to subscribe':
      return owner(await tokenByConsent(world, tenant.app, { businessId, rights: 'READ,SUBSCRIBE' }))
    case 'the app within another merchant': {
      const { businessId: id } = await world.merchant()
      await approve(['READ', 'SUBSCRIBE'], id, 201)
      return neighbour(await tokenWithin(world, tenant.app, id))
    }
    case 'the merchant':
      return personOf(business, 'OWNER')
    case 'a manager of the merchant':
      return personOf(business, 'MANAGER')
    case 'one who looks after the merchant':
      return personOf(business, 'VIEWER')
    case 'another merchant': {
      const { businessId: id } = await world.merchant()
      return neighbour((await newPerson(world, { kind: 'MERCHANT', businessId: id }, 'OWNER')).token)
    }
    case 'the app, for the user of a terminal': {
      const { terminalToken = '', userSession = '', package: name } = tenant.ids
      const headers = { 'service-user-session': userSession }
      const { body } = await world.ask(terminalToken, 'POST', `/terminal/apps/${name}/token`, { headers })
      const ids = await seenOnTill(world, tenant)
      return { ...owner(body.accessToken), tenant: { ...tenant, ids } }
    }
    case 'a terminal of the store': {
      const { terminalToken = '', userSession = '' } = tenant.ids
      return { ...owner(terminalToken), headers: { 'service-user-session': userSession } }
    }
    case 'a clerk at a terminal of the store': {
      const { terminalToken = '' } = tenant.ids
      return {
        ...owner(terminalToken),
        headers: (await signInAt(world, { businessId }, terminalToken, 'CLERK')).headers,
      }
    }
    case 'a terminal of another store':
      return { ...owner(''), ...(await signedInTerminal(world, businessId)) }
    case 'a terminal of another merchant':
      return { tenant, ...(await signedInTerminal(world, other.ids.businessId ?? '')), secrets: ofMerchant(tenant) }
    case 'a developer of the organization':
      return personOf(organization, 'ADMIN')
    case 'a developer of the organization, about a real merchant of its app':
      await makeReal(world, businessId)
      return personOf(organization, 'ADMIN')
    case 'a member of the organization':
      return personOf(organization, 'MEMBER')
    case 'one who looks after the organization':
      return personOf(organization, 'VIEWER')
    case 'a developer of another organization': {
      const place = { kind: 'DEVELOPER', organizationId: other.ids.organizationId ?? '' } as const
      return stranger((await newPerson(world, place, 'ADMIN')).token)
    }
    case 'the operator':
      return { tenant, bearer: OPERATOR_KEY, secrets: [] }
    case 'an operator who signed in':
    case 'an operator who only looks': {
      const { person, caller } = await operatorOf(name === 'an operator who signed in' ? 'ADMIN' : 'VIEWER')
      await proveSecondFactor(world, person)
      return caller
    }
    case 'an operator without a second factor':
      return (await operatorOf('ADMIN')).caller
  }
}

/** Everything that a test merchant has, and yet nobody's but its own: a test clock is left over, which it does not follow. */
async function makeReal({ app }: World, businessId: string): Promise<void> {
  await app.ports.db.sql`
    update businesses set type = 'MERCHANT', organization_id = null, test_clock_id = null, clock_now = null
    where business_id = ${businessId}`
}

/** It asks about the terminal that it is on, and about an order there: it sees none of another. */
async function seenOnTill({ call }: World, { ids: { till = '', ...ids } }: Tenant): Promise<Tenant['ids']> {
  const at = { storeId: ids.storeId, deviceId: till }
  const { orderId } = await call('POST', `/businesses/${ids.businessId}/orders`, { ...at, amount: 1, currency: 'USD' })
  const { deliveries } = await call('GET', `/apps/${ids.appId}/deliveries`)
  return { ...ids, till, deviceId: till, orderId, deliveryId: deliveries[0].id }
}

async function signedInTerminal(world: World, businessId: string): Promise<Pick<Caller, 'bearer' | 'headers'>> {
  const terminal = await activatedTerminal(world, businessId)
  const bearer = await terminalToken(world, terminal)
  return { bearer, headers: (await signInAt(world, terminal, bearer)).headers }
}

/** Decisions 7: within a merchant nobody touches app-wide hooks, so what is asked about is a hook of the merchant. */
async function withHookOfMerchant({ call }: World, tenant: Tenant): Promise<Tenant> {
  const { applicationId, businessId } = tenant.ids
  const deliveryUrl = `http://127.0.0.1:9/${tenant.marks.ofMerchant[0]}`
  const hook = { applicationId, businessId, deliveryUrl, secret: 'a secret', eventTypes: ['ORDER_UPDATED'] }
  const { id: hookId } = await call('POST', '/hooks', hook)
  // Whoever has a code has the terminal: nobody here has one.
  const ids = { ...tenant.ids, hookId, activationCode: '0000-0000-0000-0000' }
  return { ...tenant, ids, everyId: [...tenant.everyId, hookId] }
}

function everythingOf({ everyId, marks }: Tenant): string[] {
  return [...everyId, ...marks.ofDeveloper, ...marks.ofMerchant]
}

/** What the app's other merchants must not see of this one. */
function ofMerchant({ ids, marks }: Tenant): string[] {
  const names = ['businessId', 'testClockId', 'storeId', 'deviceId', 'paymentMethodId', 'subscriptionId', 'invoiceId']
  const people = ['membershipId', 'userId', 'sessionId', 'invitationId', 'businessUserId', 'purchaseId']
  const own = [...names, ...people, 'orderId', 'deliveryId', 'hookId', 'redeliveryId'].map(name =>
    String(ids[name]).replace(/^urn:\w+:/, ''),
  )
  return [...own, ...marks.ofMerchant]
}
