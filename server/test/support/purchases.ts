import assert from 'node:assert/strict'
import { activatedTerminal, installApp, signInAt, type Terminal, terminalToken } from './terminals.ts'
import type { Json, Merchant, MerchantOptions, World } from './world.ts'

/** A merchant with a terminal on which a manager is signed in. */
export interface Till {
  readonly merchant: Merchant
  readonly businessId: string
  readonly terminal: Terminal
  /** Of the terminal. */
  readonly token: string
  /** The signed-in user and the session header. */
  readonly businessUserId: string
  readonly headers: { readonly 'service-user-session': string }
  open(wanted: Json): Promise<OpenScreen>
  /** The end of a purchase as the terminal reads it. */
  purchase(of: { readonly purchaseId: string }): Promise<Json>
}

export interface OpenScreen {
  readonly purchaseId: string
  /** With the secret. */
  readonly url: string
  readonly key: string
  /** Without it. */
  readonly path: string
}

export async function newTill(world: World, options: MerchantOptions = {}): Promise<Till> {
  const merchant = await world.merchant(options)
  const { businessId } = merchant
  const terminal = await activatedTerminal(world, businessId)
  const token = await terminalToken(world, terminal)
  const { headers, businessUserId } = await signInAt(world, terminal, token)
  const { packageName } = await world.call('GET', `/apps/${world.appId}`)
  await installApp(world, token, packageName)
  return {
    ...{ merchant, businessId, terminal, token, businessUserId, headers },
    async open(wanted) {
      const path = `/terminal/apps/${packageName}/purchases`
      const { status, body } = await world.ask(token, 'POST', path, { body: wanted, headers })
      assert.equal(status, 201, JSON.stringify(body))
      const { searchParams, pathname } = new URL(body.url)
      const key = searchParams.get('key') ?? ''
      return { purchaseId: body.purchaseId, url: `${pathname}?key=${key}`, key, path: pathname }
    },
    async purchase({ purchaseId }) {
      return (await world.ask(token, 'GET', `/terminal/purchases/${purchaseId}`, { headers })).body
    },
  }
}
