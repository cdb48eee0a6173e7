import { randomBytes, randomInt } from 'node:crypto'
import { TOTP } from 'otpauth'
import { type Client, UnexpectedAnswer } from './client.ts'
import type { Doorway } from './doorway.ts'
import { waitForMail } from './mailbox.ts'
import type { Ending } from './story.ts'
import type { TemporaryFolder } from './temporary-folder.ts'

/** The service that keeps running after the story. */
export interface Platform {
  readonly baseUrl: string
  readonly folder: TemporaryFolder
  readonly operator: Client
  readonly operatorKey: string
  readonly signal: AbortSignal
}

/** Creates a merchant in real time and signs a visitor in as each of the roles. Returns the lines to print. */
export async function inviteVisitor(
  platform: Platform,
  { organizationId, businessId: storyBusinessId }: Pick<Ending, 'organizationId' | 'businessId'>,
  doorway: Doorway,
): Promise<readonly string[]> {
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
  // Two pairs that never make a row or a repetition: Tillhook rejects such a passcode.
  const clerk = { userId: 'anna', passcode: `${randomInt(40, 100)}${randomInt(11, 20)}` }
  await operator.post(`${path}/users`, { ...clerk, name: 'Anna', role: 'MANAGER' })
  const door = async (name: string, about: string, home: string, person: NewPerson) => {
    const signIn = await newPerson(platform, person)
    return `  ${name.padEnd(12)}${about.padEnd(42)}${doorway.linkTo(name.toLowerCase(), signIn, home)}`
  }
  const link = new URLSearchParams({
    activationCode,
    userId: clerk.userId,
    packageName: 'example.lakeside.tableplanner',
  })
  return [
    `Tillhook keeps running at ${baseUrl}. Ctrl-C stops Tillhook and removes its data.`,
    '',
    'Each link signs your browser in:',
    await door('Developer', 'Lakeside Apps, which sells Table Planner', '/dev', {
      ...{ name: 'Dora Developer', email: 'hello@lakeside.example' },
      workspace: { kind: 'DEVELOPER', organizationId, role: 'ADMIN' },
    }),
    await door('Operator', 'the platform, which reviews and collects', '/ops', {
      ...{ name: 'Oscar Operator', email: 'operator@tillhook.example' },
      workspace: { kind: 'OPERATOR', role: 'ADMIN' },
    }),
    await door('Merchant', 'Corner Café, the merchant of the story', '/my/invoices', {
      ...{ name: 'Corinne Corner', email: 'owner@cornercafe.example' },
      workspace: { kind: 'MERCHANT', businessId: storyBusinessId, role: 'OWNER' },
    }),
    await door('Bakery', 'Harbour Bakery, which may buy now', '/my/subscriptions', {
      ...{ name: 'Olive Baker', email: 'owner@harbourbakery.example' },
      workspace: { kind: 'MERCHANT', businessId, role: 'OWNER' },
    }),
    '',
    'The bakery’s terminal, to buy Table Planner on:',
    `  ${baseUrl}/simulator#${link}`,
    `  Activation code ${activationCode}, which works once, within 15 minutes. User ID ${clerk.userId}, passcode ${clerk.passcode}.`,
    '',
    `Key for the API: ${operatorKey}`,
  ]
}

interface NewPerson {
  readonly name: string
  readonly email: string
  readonly workspace: { readonly kind: string; readonly role: string; readonly [id: string]: string }
}

const INVITATION_LINK = /\?secret=([\w-]+)/

/** Accepts an invitation. The returned function signs in, again after the session has ended, and returns the token of the session. */
async function newPerson(platform: Platform, { name, email, workspace }: NewPerson): Promise<() => Promise<string>> {
  const { operator, baseUrl, folder, signal } = platform
  await operator.post('/invitations', { ...workspace, email })
  // The developer gets other mails too, as about the approved release.
  const { text } = await waitForMail(folder, { to: email, holding: INVITATION_LINK, signal })
  const secret = INVITATION_LINK.exec(text)?.[1]
  const password = randomBytes(12).toString('base64url')
  const call = async <T>(path: string, body: object, token?: string): Promise<T> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, signal, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new UnexpectedAnswer(`POST ${path} was answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  const signIn = async (code: { readonly totp?: string } = {}) =>
    (await call<{ token: string }>('/sessions', { email, password, ...code })).token
  await call('/memberships', { secret, name, password })
  let token = await signIn()
  let codes: TOTP | undefined
  if (workspace.kind === 'OPERATOR') {
    // An operator's pages require two-step sign-in.
    const factor = await call<{ secret: string }>('/users/current/second-factor', { password }, token)
    codes = new TOTP({ secret: factor.secret })
    await call('/users/current/second-factor/confirm', { totp: codes.generate() }, token)
  }
  return async () => {
    const session = await fetch(`${baseUrl}/sessions/current`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    })
    await session.arrayBuffer()
    if (!session.ok) token = await signIn(codes && { totp: codes.generate() })
    return token
  }
}
