import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { TOTP } from 'otpauth'
import { v7 } from 'uuid'
import type { PersonRole, Workspace } from '../../src/core/membership.ts'
import { type Answer, type Json, OPERATOR_KEY, type World } from './world.ts'

/** Everybody's in the tests. */
export const PASSWORD = 'a horse, a battery, a staple'

/** A person who was invited, has accepted and is signed in, all through the real routes. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly membershipId: string
  readonly sessionId: string
  /** Of the session. */
  readonly token: string
}

/** The secret of the link that the last mail to the address holds. */
export async function secretFor(world: World, email: string): Promise<string> {
  // Mails of one instant come in any order, and not each has a link.
  const links = (await world.mails()).filter(({ to }) => to === email).map(({ text }) => /secret=([\w-]+)/.exec(text))
  const secret = links.findLast(link => link !== null)?.[1]
  assert.ok(secret, `no link was sent to ${email}`)
  return secret
}

/** Invites by the operator key, unless another bearer is given. Returns the secret of the link. */
export async function inviteTo(
  world: World,
  workspace: Workspace,
  role: PersonRole,
  { email = newEmail(), bearer = OPERATOR_KEY }: { email?: string; bearer?: string } = {},
): Promise<{ readonly email: string; readonly secret: string; readonly invitationId: string }> {
  const answer = await world.ask(bearer, 'POST', '/invitations', { body: { ...workspace, email, role } })
  assert.equal(answer.status, 201, answer.text)
  return { email, secret: await secretFor(world, email), invitationId: answer.body.invitationId }
}

export async function newPerson(
  world: World,
  workspace: Workspace,
  role: PersonRole,
  { name = 'Ann Baker', email = newEmail() }: { readonly name?: string; readonly email?: string } = {},
): Promise<Person> {
  const { secret } = await inviteTo(world, workspace, role, { email })
  const accepted = await world.ask(null, 'POST', '/memberships', { body: { secret, name, password: PASSWORD } })
  assert.equal(accepted.status, 201, accepted.text)
  const { membershipId } = accepted.body
  const opened = await signIn(world, email)
  return { userId: opened.user.userId, email, membershipId, sessionId: opened.sessionId, token: opened.token }
}

/** Fails unless it succeeds. From an address of its own: what others tried from the common one is not to count. */
export async function signIn(world: World, email: string, more: Json = {}): Promise<Json> {
  const answer = await world.ask(null, 'POST', '/sessions', {
    body: { email, password: PASSWORD, ...more },
    from: anyAddress(),
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

export function trySignIn(world: World, email: string, more: Json = {}, from?: string): Promise<Answer> {
  const body = { email, password: PASSWORD, ...more }
  return world.ask(null, 'POST', '/sessions', { body, ...(from !== undefined && { from }) })
}

/** An address of its own: attempts are also counted by address, and those of one test must not count in the next. */
export function anyAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
}

/** Sets up a second factor for the session and confirms it. Gives its secret. */
export async function proveSecondFactor(world: World, { token }: Pick<Person, 'token'>): Promise<string> {
  const path = '/users/current/second-factor'
  const made = await world.ask(token, 'POST', path, { body: { password: PASSWORD } })
  const totp = codeOf(made.body.secret, world.clock.now())
  const confirmed = await world.ask(token, 'POST', `${path}/confirm`, { body: { totp } })
  assert.equal(confirmed.status, 200, confirmed.text)
  return made.body.secret
}

/** The code that an authenticator app shows at this time, or some steps later. */
export function codeOf(secret: string, now: Date, laterSteps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: now.getTime() + laterSteps * 30_000 })
}

export function newEmail(): string {
  return `ann.${v7()}@corner.example`
}
