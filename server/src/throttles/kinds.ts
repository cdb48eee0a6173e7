import { PATIENCE_WITH_ADDRESS, PATIENCE_WITH_ONE } from '../core/throttle.ts'
import { emailKey } from '../core/user.ts'
import { networkOf } from '../http/caller-address.ts'
import type { Throttled, ThrottleKey } from './throttle.ts'

/** Tries of one account's password or code, wherever it is asked for, and from one address over all accounts. */
export function passwordTries(email: string, address: string): Throttled {
  return {
    kind: 'password',
    keys: [{ key: `account ${emailKey(email)}`, patience: PATIENCE_WITH_ONE }, ofAddress(address)],
  }
}

/** Codes of a second factor, of somebody whose password is known: being right about that one forgets nothing of these. */
export function codeTries(userId: string): Throttled {
  return { kind: 'second factor', keys: [{ key: `user ${userId}`, patience: PATIENCE_WITH_ONE }] }
}

/** Mails that anybody can have sent to a mailbox. None is ever right, so none is forgotten within the day. */
export function resetTries(email: string, address: string): Throttled {
  return {
    kind: 'password reset',
    keys: [{ key: `account ${emailKey(email)}`, patience: PATIENCE_WITH_ONE }, ofAddress(address)],
  }
}

/** Somebody with a network of their own must not begin anew with each of its addresses. */
function ofAddress(address: string): ThrottleKey {
  return { key: `address ${networkOf(address)}`, patience: PATIENCE_WITH_ADDRESS }
}
