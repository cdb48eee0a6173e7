import { renderSVG } from 'uqr'
import type { SignedIn } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Db, Ready } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { personOf } from '../sessions/find.ts'
import { updateName } from '../users/store.ts'
import { findAccount } from './account.ts'
import { provePasswordChange } from './change-password.ts'
import { proveAsking, uncountAsking } from './request-reset.ts'
import { proveReset } from './reset-password.ts'
import {
  AccountAnswer,
  AccountChange,
  Confirmation,
  FactorConfirmation,
  FactorSetUp,
  PasswordChange,
  RecoveryCodesAnswer,
  ResetCompletion,
  ResetRequest,
  SetUpAnswer,
} from './schema.ts'
import {
  proveConfirmation,
  proveRemoval,
  proveRenewal,
  proveSetUp,
  type SetUp,
  uncountCodeAttempt,
} from './second-factor.ts'

type RoutePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>

/**
 * Routes of the person's own account. `prepare` checks passwords and codes before the transaction of the stored answer, so that a wrong password
 * or code stays counted. A repeated request receives secrets again from the sealed answer.
 */
export function accountRoutes(ports: RoutePorts): AnyRoute[] {
  const account = async (db: Db, { userId }: SignedIn) => answer(200, await findAccount(db, userId))
  return [
    route({
      method: 'GET',
      path: '/users/current',
      name: 'getAccount',
      operation: 'account.manage',
      summary: 'Get my account',
      answers: { 200: AccountAnswer },
      handle: ({ principal, db }) => account(db, personOf(principal)),
    }),
    route({
      method: 'PATCH',
      path: '/users/current',
      name: 'changeAccount',
      operation: 'account.manage',
      summary: 'Change my name',
      body: AccountChange,
      answers: { 200: AccountAnswer },
      async handle({ body: { name }, principal, db }) {
        const person = personOf(principal)
        await db.transaction(({ sql }) => updateName(sql, person.userId, name, ports.clock.now()))
        return account(db, person)
      },
    }),
    route({
      method: 'POST',
      path: '/users/current/password',
      name: 'changePassword',
      operation: 'account.manage',
      summary: 'Change my password and end my other sessions',
      body: PasswordChange,
      answers: { 204: null },
      rejections: ['INVALID_CREDENTIALS'],
      prepare: ({ body, principal, address }) =>
        provePasswordChange(ports, { ...body, person: personOf(principal), address }),
      async handle({ prepared, db }) {
        const changed = await (prepared as Ready<'changed'>)(db)
        return isRejection(changed) ? changed : answer(204)
      },
    }),
    route({
      method: 'POST',
      path: '/users/current/second-factor',
      name: 'setUpSecondFactor',
      operation: 'account.manage',
      summary: 'Create a secret for an authenticator app',
      body: FactorSetUp,
      answers: { 201: SetUpAnswer },
      rejections: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_EXISTS'],
      prepare: ({ body, principal, address }) => proveSetUp(ports, { ...body, person: personOf(principal), address }),
      async handle({ prepared, db }) {
        const made = await (prepared as Ready<SetUp>)(db)
        return isRejection(made) ? made : answer(201, { ...made, qrCode: renderSVG(made.otpauthUri) })
      },
    }),
    route({
      method: 'POST',
      path: '/users/current/second-factor/confirm',
      name: 'confirmSecondFactor',
      operation: 'account.manage',
      summary: 'Confirm the second factor with a first code. Later sign-ins require a code',
      body: FactorConfirmation,
      answers: { 200: RecoveryCodesAnswer },
      rejections: ['SECOND_FACTOR_MISSING', 'SECOND_FACTOR_EXISTS', 'SECOND_FACTOR_REJECTED'],
      prepare: ({ body: { totp }, principal }) => proveConfirmation(ports, { person: personOf(principal), totp }),
      unprepare: ({ principal }) => uncountCodeAttempt(ports, personOf(principal)),
      async handle({ prepared, db }) {
        const codes = await (prepared as Ready<readonly string[]>)(db)
        return isRejection(codes) ? codes : answer(200, { recoveryCodes: codes })
      },
    }),
    route({
      method: 'POST',
      path: '/users/current/second-factor/recovery-codes',
      name: 'renewRecoveryCodes',
      operation: 'account.manage',
      summary: 'Replace my recovery codes',
      body: Confirmation,
      answers: { 201: RecoveryCodesAnswer },
      rejections: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_MISSING', 'SECOND_FACTOR_REJECTED'],
      prepare: ({ body, principal, address }) => proveRenewal(ports, { ...body, person: personOf(principal), address }),
      unprepare: ({ principal }) => uncountCodeAttempt(ports, personOf(principal)),
      async handle({ prepared, db }) {
        const codes = await (prepared as Ready<readonly string[]>)(db)
        return isRejection(codes) ? codes : answer(201, { recoveryCodes: codes })
      },
    }),
    route({
      method: 'POST',
      path: '/users/current/second-factor/remove',
      name: 'removeSecondFactor',
      operation: 'account.manage',
      summary: 'Remove my second factor',
      body: Confirmation,
      answers: { 204: null },
      rejections: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_MISSING', 'SECOND_FACTOR_REJECTED'],
      prepare: ({ body, principal, address }) => proveRemoval(ports, { ...body, person: personOf(principal), address }),
      unprepare: ({ principal }) => uncountCodeAttempt(ports, personOf(principal)),
      async handle({ prepared, db }) {
        const removed = await (prepared as Ready<'removed'>)(db)
        return isRejection(removed) ? removed : answer(204)
      },
    }),
  ]
}

export function passwordResetRoutes(ports: RoutePorts): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/password-resets',
      name: 'requestPasswordReset',
      operation: 'public',
      summary: 'Send a password reset link to an address, if the address has an account',
      body: ResetRequest,
      answers: { 202: null },
      // The caller is anonymous. The row of the link records the time.
      audited: false,
      prepare: ({ body, address }) => proveAsking(ports, { ...body, address }),
      unprepare: ({ body, address }) => uncountAsking(ports, { ...body, address }),
      async handle({ prepared, db }) {
        await (prepared as Ready<'asked'>)(db)
        return answer(202)
      },
    }),
    route({
      method: 'POST',
      path: '/password-resets/complete',
      name: 'completePasswordReset',
      operation: 'public',
      summary: 'Set a new password with a reset link and end every session',
      body: ResetCompletion,
      answers: { 204: null },
      rejections: ['PASSWORD_RESET_NOT_FOUND'],
      prepare: ({ body, address }) => proveReset(ports, { ...body, address }),
      async handle({ prepared, db }) {
        const changed = await (prepared as Ready<'changed'>)(db)
        return isRejection(changed) ? changed : answer(204)
      },
    }),
  ]
}
