import { v7 } from 'uuid'
import type { PersonRole, Workspace } from '../../src/core/membership.ts'
import { makeTenant, type Tenant } from '../matrix/tenant.ts'
import { newPerson, proveSecondFactor, signIn } from '../support/people.ts'
import { activatedTerminal, installApp, signInAt, terminalToken } from '../support/terminals.ts'
import { expiredTokenOf, tokenByConsent, tokenOf, tokenWithin } from '../support/tokens.ts'
import { type Json, OPERATOR_KEY, type World } from '../support/world.ts'
import type { CallerName } from './table.ts'

/** One caller and its tenant. */
export interface Caller {
  readonly tenant: Tenant
  readonly bearer: string | null
  /** Beside the bearer: of a terminal, who is signed in. */
  readonly headers?: Readonly<Record<string, string>>
  /** Words that no response to this caller may contain. */
  readonly secrets: readonly string[]
}

export interface Stage {
  readonly world: World
  readonly other: Tenant
}

/** Each caller has a tenant of its own, because some callers end resources that others read. */
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
  const personOf = async (workspace: Workspace, role: PersonRole) => {
    // The person has the sample's name: they may rename their own account, and the name appears in the workspace's list.
    const person = await newPerson(world, workspace, role, { name: 'text' })
    const { sessionId } = await signIn(world, person.email)
    const ids = { ...tenant.ids, sessionId, membershipId: person.membershipId }
    return { tenant: { ...tenant, ids }, bearer: person.token, secrets: ofOther }
  }
  const operatorOf = async (role: PersonRole) => {
    const person = await newPerson(world, { kind: 'OPERATOR' }, role)
    return { person, caller: { tenant, bearer: person.token, secrets: [] } }
  }
  /** Requests data of the tenant's terminal and expects nothing unless the terminal is the caller's own. */
  const onTill = async (
    caller: Pick<Caller, 'bearer' | 'headers'>,
    till: 'own' | 'of the store' | 'of another',
  ): Promise<Caller> => {
    const { tenant: asked, own } = await withThingsOfTill(world, tenant)
    // Orders belong to the store, whichever terminal created them.
    const hidden = {
      own: [],
      'of the store': own.filter(id => id !== bare(asked.ids.orderId ?? '')),
      'of another': own,
    }
    return { ...caller, tenant: asked, secrets: [...ofOther, ...hidden[till]] }
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
      const { terminalToken = '', userSession = '' } = tenant.ids
      const headers = { 'service-user-session': userSession }
      const bearer = await tokenForUser(world, tenant, { bearer: terminalToken, headers })
      return onTill({ bearer }, 'own')
    }
    case 'the app, for the user of a terminal beside it': {
      const at = await signedInTerminal(world, tenant, businessId, tenant.ids.storeId)
      return onTill({ bearer: await tokenForUser(world, tenant, at) }, 'of another')
    }
    case 'the app, for the user of a terminal of another store': {
      const at = await signedInTerminal(world, tenant, businessId)
      return onTill({ bearer: await tokenForUser(world, tenant, at) }, 'of another')
    }
    case 'the app, for the user of a terminal of another merchant': {
      const { businessId: id } = await world.merchant()
      await approve(['READ'], id, 201)
      return neighbour(await tokenForUser(world, tenant, await signedInTerminal(world, tenant, id)))
    }
    case 'a terminal of the store': {
      const { terminalToken = '', userSession = '' } = tenant.ids
      return onTill({ bearer: terminalToken, headers: { 'service-user-session': userSession } }, 'own')
    }
    case 'a clerk at a terminal of the store': {
      const { terminalToken = '' } = tenant.ids
      const { headers } = await signInAt(world, { businessId }, terminalToken, 'CLERK')
      return onTill({ bearer: terminalToken, headers }, 'own')
    }
    case 'a terminal beside it in the store':
      return onTill(await signedInTerminal(world, tenant, businessId, tenant.ids.storeId), 'of the store')
    case 'a terminal of another store':
      return onTill(await signedInTerminal(world, tenant, businessId), 'of another')
    case 'a terminal of another merchant':
      return {
        tenant,
        ...(await signedInTerminal(world, tenant, other.ids.businessId ?? '')),
        secrets: ofMerchant(tenant),
      }
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
      const workspace = { kind: 'DEVELOPER', organizationId: other.ids.organizationId ?? '' } as const
      return stranger((await newPerson(world, workspace, 'ADMIN')).token)
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

/** A subscription of one terminal with its invoice and notifications, and an order there. `own`: their ids. */
async function withThingsOfTill(
  { call, plan, work }: World,
  tenant: Tenant,
): Promise<{ tenant: Tenant; own: readonly string[] }> {
  const { till = '', businessId, appId, storeId, purchaseId = '' } = tenant.ids
  const planId = await plan({ scope: 'DEVICE' }, appId)
  const asked = { businessId, planId, deviceId: till }
  const { subscriptionId } = await call('POST', `/apps/${appId}/subscriptions`, asked)
  await work()
  const { list } = await call('GET', `/businesses/${businessId}/invoices`)
  const { invoiceId } = list.find((invoice: Json) => invoice.subscriptionId === subscriptionId)
  const order = { storeId, deviceId: till, amount: 1, currency: 'USD' }
  const { orderId } = await call('POST', `/businesses/${businessId}/orders`, order)
  const { deliveries } = await call('GET', `/apps/${appId}/deliveries`)
  const { id: deliveryId } = deliveries.find((delivery: Json) => delivery.resourceId === orderId)
  const ofTill = { subscriptionId, invoiceId, orderId, deliveryId }
  const ids = { ...tenant.ids, ...ofTill, planId, deviceId: till, storeDeviceId: till, resourceId: subscriptionId }
  return { tenant: { ...tenant, ids }, own: [...Object.values(ofTill), purchaseId].map(bare) }
}

/** Everything that a test merchant has, as a real merchant. The test clock remains and does not apply. */
async function makeReal({ app }: World, businessId: string): Promise<void> {
  await app.ports.db.sql`
    update businesses set type = 'MERCHANT', organization_id = null, test_clock_id = null, clock_now = null
    where business_id = ${businessId}`
}

type AtTerminal = Pick<Caller, 'headers'> & { readonly bearer: string }

/** The app's token for the user who is signed in on the terminal. */
async function tokenForUser(world: World, { ids }: Tenant, { bearer, headers }: AtTerminal): Promise<string> {
  const path = `/terminal/apps/${ids.package}/token`
  const { body } = await world.ask(bearer, 'POST', path, { ...(headers && { headers }) })
  return body.accessToken
}

async function signedInTerminal(
  world: World,
  { ids }: Tenant,
  businessId: string,
  storeId?: string,
): Promise<AtTerminal> {
  const terminal = await activatedTerminal(world, businessId, storeId)
  const bearer = await terminalToken(world, terminal)
  await installApp(world, bearer, ids.package ?? '')
  return { bearer, headers: (await signInAt(world, terminal, bearer)).headers }
}

/** As it stands in every text, be it a urn there or not. */
function bare(id: string): string {
  return id.replace(/^urn:\w+:/, '')
}

/** Decisions 7: a merchant's caller never touches app-wide hooks, so the tested hook is the merchant's. */
async function withHookOfMerchant({ call }: World, tenant: Tenant): Promise<Tenant> {
  const { applicationId, businessId } = tenant.ids
  const deliveryUrl = `http://127.0.0.1:9/${tenant.marks.ofMerchant[0]}`
  const hook = { applicationId, businessId, deliveryUrl, secret: 'a secret', eventTypes: ['ORDER_UPDATED'] }
  const { id: hookId } = await call('POST', '/hooks', hook)
  // An activation code grants the terminal, so no caller here has a valid code.
  const ids = { ...tenant.ids, hookId, activationCode: '0000-0000-0000-0000' }
  return { ...tenant, ids, everyId: [...tenant.everyId, hookId] }
}

function everythingOf({ everyId, marks }: Tenant): string[] {
  return [...everyId, ...marks.ofDeveloper, ...marks.ofMerchant]
}

/** Data of this merchant that the app's other merchants must not see. */
function ofMerchant({ ids, marks }: Tenant): string[] {
  const names = ['businessId', 'testClockId', 'storeId', 'deviceId', 'paymentMethodId', 'subscriptionId', 'invoiceId']
  const people = ['membershipId', 'userId', 'sessionId', 'invitationId', 'businessUserId', 'purchaseId']
  const own = [...names, ...people, 'orderId', 'deliveryId', 'hookId', 'redeliveryId'].map(name =>
    bare(String(ids[name])),
  )
  return [...own, ...marks.ofMerchant]
}
