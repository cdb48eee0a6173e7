import { PATIENCE_WITH_ADDRESS, PATIENCE_WITH_ONE, PATIENCE_WITH_SITE } from '../../core/throttle.ts'
import { emailKey } from '../../core/user.ts'
import { networksOf } from '../http/caller-address.ts'
import type { Throttled, ThrottleKey } from './throttle.ts'

/** Where somebody tries from. */
export interface Whence {
  readonly address: string
  /** Of a browser that the account is known to (known-browser.ts). */
  readonly browserId?: string
}

/**
 * Tries of one account's password or code, wherever it is asked for, and from one address over all accounts. In a browser that
 * the account knows they are counted by that browser alone: what strangers try does not keep its owner out, and who stole its
 * cookie has no more tries than anybody.
 */
export function passwordTries(email: string, { address, browserId }: Whence): Throttled {
  const account = `account ${emailKey(email)}`
  const keys =
    browserId === undefined ? [ofOne(account), ...ofAddress(address)] : [ofOne(`browser ${browserId} of ${account}`)]
  return { kind: 'password', keys }
}

/**
 * Codes of a second factor, of somebody whose password is known: being right about that one forgets nothing of these. Counted
 * for a known browser as passwords are.
 */
export function codeTries(userId: string, { browserId }: Pick<Whence, 'browserId'> = {}): Throttled {
  const user = `user ${userId}`
  return { kind: 'second factor', keys: [ofOne(browserId === undefined ? user : `browser ${browserId} of ${user}`)] }
}

/** Mails that anybody can have sent to a mailbox. None is ever right, so none is forgotten within the day. */
export function resetTries(email: string, address: string): Throttled {
  return {
    kind: 'password reset',
    keys: [ofOne(`account ${emailKey(email)}`), ...ofAddress(address)],
  }
}

function ofOne(key: string): ThrottleKey {
  return { key, patience: PATIENCE_WITH_ONE }
}

/** By network: the owner of a network has all of its addresses. */
export function ofAddress(address: string): ThrottleKey[] {
  const patience = [PATIENCE_WITH_ADDRESS, PATIENCE_WITH_SITE]
  return networksOf(address).map((network, index) => ({
    key: `address ${network}`,
    patience: patience[index] ?? PATIENCE_WITH_SITE,
  }))
}
