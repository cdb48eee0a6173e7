import { v7 } from 'uuid'
import type { Principal } from '../../src/core/principal.ts'
import { makeTenant, type Tenant } from '../matrix/tenant.ts'
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

/** Whom nothing signs in yet are told by the test, to a server that believes it: `believing` makes their token. */
export interface Stage {
  readonly world: World
  readonly other: Tenant
  believing(principal: Principal): string
}

/** A tenant of its own for each caller: some may end what others want to read. */
export async function makeCaller(name: CallerName, stage: Stage): Promise<Caller> {
  const { world, other, believing } = stage
  const tenant = await withHookOfMerchant(world, await makeTenant(world))
  const { businessId = '', organizationId = '' } = tenant.ids
  const userId = v7()
  const [all, ofOther] = [everythingOf(tenant), everythingOf(other)]
  const stranger = (bearer: string | null) => ({ tenant, bearer, secrets: all })
  const owner = (bearer: string) => ({ tenant, bearer, secrets: ofOther })
  const neighbour = (bearer: string) => ({ tenant, bearer, secrets: [...ofOther, ...ofMerchant(tenant)] })
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
      return owner(believing({ kind: 'merchant', role: 'OWNER', userId, businessId }))
    case 'another merchant': {
      const { businessId: id } = await world.merchant()
      return neighbour(believing({ kind: 'merchant', role: 'OWNER', userId, businessId: id }))
    }
    case 'the app, for the user of a terminal': {
      const { terminalToken = '', userSession = '', package: name } = tenant.ids
      const headers = { 'service-user-session': userSession }
      const { body } = await world.ask(terminalToken, 'POST', `/terminal/apps/${name}/token`, { headers })
      return owner(body.accessToken)
    }
    case 'a terminal of the store': {
      const { terminalToken = '', userSession = '' } = tenant.ids
      return { ...owner(terminalToken), headers: { 'service-user-session': userSession } }
    }
    case 'a terminal of another store':
      return { ...owner(''), ...(await signedInTerminal(world, businessId)) }
    case 'a terminal of another merchant':
      return { tenant, ...(await signedInTerminal(world, other.ids.businessId ?? '')), secrets: ofMerchant(tenant) }
    case 'a developer of the organization':
      return owner(believing({ kind: 'developer', role: 'ADMIN', userId, organizationId }))
    case 'a developer of another organization': {
      const developer = {
        kind: 'developer',
        role: 'ADMIN',
        userId,
        organizationId: other.ids.organizationId ?? '',
      } as const
      return stranger(believing(developer))
    }
    case 'the operator':
      return { tenant, bearer: OPERATOR_KEY, secrets: [] }
  }
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
  return { ...tenant, ids: { ...tenant.ids, hookId }, everyId: [...tenant.everyId, hookId] }
}

function everythingOf({ everyId, marks }: Tenant): string[] {
  return [...everyId, ...marks.ofDeveloper, ...marks.ofMerchant]
}

/** What the app's other merchants must not see of this one. */
function ofMerchant({ ids, marks }: Tenant): string[] {
  const names = ['businessId', 'testClockId', 'storeId', 'deviceId', 'paymentMethodId', 'subscriptionId', 'invoiceId']
  const own = [...names, 'purchaseId', 'businessUserId', 'orderId', 'deliveryId', 'hookId', 'redeliveryId'].map(name =>
    String(ids[name]).replace(/^urn:\w+:/, ''),
  )
  return [...own, ...marks.ofMerchant]
}
