import type { CheckerName } from '../../src/checkers/checkers.ts'
import type { Canary } from './stage.ts'
import type { Found } from './watch.ts'

/** A lock against a double charge is taken away, and a rule must see it. */
export interface LockTakenAway extends Canary {
  caught(found: Found): boolean
  /** Known to catch it; others are tried after them. */
  readonly seed: number
}

/** `what`: where the lock is there, the rule may break by what covers it, but never like this. */
const by =
  (rule: CheckerName, what = /./) =>
  (found: Found) =>
    found.rule === rule && what.test(found.what)

/** The row lock, under which one decision at a time is made: it covers locks 1 and 3, and what they are for is the day it is missing. */
const withoutRowLocks = (text: string) => text.replace(/for no key update( of subscriptions)?( skip locked)?/, '')

/** The subscription no longer knows that a charge is under way: the other cover of lock 3. */
const FORGET_WHAT_IS_AWAITED = `
  create function forget_what_is_awaited() returns trigger language plpgsql as
    'begin new.awaited_charge_id := null; return new; end';
  create trigger forgetful before insert or update on subscriptions for each row execute function forget_what_is_awaited()`

export const CANARIES = {
  'one invoice a period': {
    ddl: 'alter table invoices drop constraint invoices_period_once',
    rewrite: withoutRowLocks,
    caught: by('periodsTile', /period (\d+) from [^"]* follows period \1 /),
    seed: 1,
  },
  'one charge object an invoice': {
    gateway: (gateway, random) => ({
      ...gateway,
      createCharge: request => gateway.createCharge({ ...request, key: `random ${random.next()}` }),
    }),
    caught: by('oneChargeObject'),
    seed: 1,
  },
  'one live try an invoice': {
    ddl: `drop index charges_one_alive; ${FORGET_WHAT_IS_AWAITED}`,
    rewrite: withoutRowLocks,
    caught: by('chargedOnce', /with [2-9] charges that succeeded/),
    seed: 1,
  },
  'looked up before it is repeated': {
    gateway: gateway => ({ ...gateway, findConfirmation: async () => null }),
    caught: by('booksAgree'),
    seed: 1,
  },
} as const satisfies Record<string, LockTakenAway>

export type CanaryName = keyof typeof CANARIES
