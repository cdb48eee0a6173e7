import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, UnexpectedAnswer } from './client.ts'
import { readLogLines } from './service.ts'
import type { TemporaryFolder } from './temporary-folder.ts'

/** The service that keeps running after the story. */
export interface Platform {
  readonly baseUrl: string
  readonly folder: TemporaryFolder
  readonly operator: Client
  readonly operatorKey: string
  readonly signal: AbortSignal
}

interface Person {
  readonly email: string
  readonly password: string
}

/** Creates a merchant in real time and accounts for a visitor. Returns the lines to print. */
export async function inviteVisitor(platform: Platform): Promise<readonly string[]> {
  const { baseUrl, operator, operatorKey } = platform
  const { businessId } = await operator.post<{ businessId: string }>('/businesses', {
    legalName: 'Harbour Bakery LLC',
    doingBusinessAs: 'Harbour Bakery',
    emailAddress: 'owner@harbourbakery.example',
    country: 'US',
    type: 'TEST_MERCHANT',
  })
  const path = `/businesses/${businessId}`
  const { storeId } = await operator.post<{ storeId: string }>(`${path}/stores`, { displayName: 'Quay 3' })
  const terminal = { name: 'Bakery counter', serialNumber: 'HB-0001' }
  const { activationCode } = await operator.post<{ activationCode: string }>(
    `${path}/stores/${storeId}/devices`,
    terminal,
  )
  await operator.post(`${path}/payment-methods`, { gateway: 'sandbox', token: 'tok_ok' })
  const clerk = { userId: 'anna', passcode: String(randomInt(1_000, 10_000)) }
  await operator.post(`${path}/users`, { ...clerk, name: 'Anna', role: 'MANAGER' })
  const owner = await newPerson(platform, 'Olive Baker', 'owner@harbourbakery.example', {
    ...{ kind: 'MERCHANT', businessId, role: 'OWNER' },
  })
  const admin = await newPerson(platform, 'Oscar Operator', 'operator@tillhook.example', {
    ...{ kind: 'OPERATOR', role: 'ADMIN' },
  })
  const link = new URLSearchParams({
    activationCode,
    userId: clerk.userId,
    packageName: 'example.lakeside.tableplanner',
  })
  return [
    `Tillhook keeps running at ${baseUrl} until you press ctrl-C, which removes it all.`,
    '',
    'A terminal, to buy something on:',
    `  ${baseUrl}/simulator#${link}`,
    `  Activation code ${activationCode}, good once, for 15 minutes. User ID ${clerk.userId}, passcode ${clerk.passcode}.`,
    '  The app to open there is example.lakeside.tableplanner.',
    'The merchant, Harbour Bakery:',
    `  ${baseUrl}/my/subscriptions`,
    `  E-mail ${owner.email}, password ${owner.password}`,
    'The operator:',
    `  ${baseUrl}/sign-in`,
    `  E-mail ${admin.email}, password ${admin.password}`,
    `  Key for the API: ${operatorKey}`,
  ]
}

/** Reads the invitation link from the service's log, which holds the mail if no relay is set. */
async function newPerson(platform: Platform, name: string, email: string, workspace: object): Promise<Person> {
  const { operator, baseUrl, signal } = platform
  await operator.post('/invitations', { ...workspace, email })
  const secret = await readSecret(platform, email)
  const password = randomBytes(12).toString('base64url')
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, signal }
  const answer = await fetch(`${baseUrl}/memberships`, { ...request, body: JSON.stringify({ secret, name, password }) })
  if (!answer.ok) throw new UnexpectedAnswer(`POST /memberships was answered ${answer.status}: ${await answer.text()}`)
  await answer.text()
  return { email, password }
}

/** The service sends mail within a second. */
const MAILED_WITHIN_MS = 15_000
const POLL_MS = 100

async function readSecret({ folder, signal }: Platform, email: string): Promise<string> {
  const giveUpAt = performance.now() + MAILED_WITHIN_MS
  for (;;) {
    const mail = (await readLogLines(folder)).find(line => line.includes(`"to":"${email}"`))
    const secret = /\?secret=([\w-]+)/.exec(mail ?? '')?.[1]
    if (secret !== undefined) return secret
    if (performance.now() > giveUpAt) throw new Error(`No invitation was mailed to ${email}.`)
    await wait(POLL_MS, undefined, { signal })
  }
}
