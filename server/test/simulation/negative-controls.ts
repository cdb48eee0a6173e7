import type { InvariantCheckName } from '../../src/money/invariant-checks/checks.ts'
import type { NegativeControl } from './stage.ts'
import type { Found } from './watch.ts'

/** A lock against a double charge is taken away, and a rule must see it. */
export interface LockTakenAway extends NegativeControl {
  caught(found: Found): boolean
  /** Known to catch it; others are tried after them. */
  readonly seed: number
}

/** `what`: where the lock is there, the rule may break by what covers it, but never like this. */
const by =
  (rule: InvariantCheckName, what = /./) =>
  (found: Found) =>
    found.rule === rule && what.test(found.what)

/** The row lock, under which one decision at a time is made: it covers lock 1, which is there for the day it is missing. */
export const withoutRowLocks = (text: string) => text.replace(/for no key update( of \w+)?( skip locked)?/, '')

/** Decided once, written twice: what lock 3 is for is the day on which the one decision at a time, its cover, is not kept. */
const TRY_TWICE = `
  create function try_twice() returns trigger language plpgsql as $$ begin
    insert into charges (charge_id, invoice_id, subscription_id, app_id, business_id, merchant_type, test_clock_id, payment_method_id,
      amount, currency, status, started_at, next_poll_at, poll_count)
    values (md5(new.charge_id::text)::uuid, new.invoice_id, new.subscription_id, new.app_id, new.business_id,
      new.merchant_type, new.test_clock_id, new.payment_method_id, new.amount, new.currency, new.status, new.started_at, new.next_poll_at, new.poll_count);
    return null;
  end $$;
  create trigger charges_twice after insert on charges for each row when (pg_trigger_depth() = 0)
    execute function try_twice()`

export const NEGATIVE_CONTROLS = {
  // Without `invoices_period_once` and the row locks, 60 random lives issued no second invoice: covers.test.ts forces the two
  // transactions to meet, and shows what that constraint prevents.
  'one charge object an invoice': {
    gateway: (gateway, random) => ({
      ...gateway,
      createCharge: request => gateway.createCharge({ ...request, key: `random ${random.next()}` }),
    }),
    caught: by('oneChargeObject'),
    seed: 215,
  },
  'one intent an invoice': {
    at: 'stripe',
    // Creates the charge again if the process does not know of it; only Stripe's idempotency key could prevent the duplicate.
    gateway: (gateway, random) => ({
      ...gateway,
      createCharge: request => gateway.createCharge({ ...request, key: `random ${random.next()}` }),
    }),
    caught: by('gatewayMatches', /taken twice|two intents that can be paid/),
    seed: 1024,
  },
  'one live try an invoice': {
    ddl: `drop index charges_one_alive; ${TRY_TWICE}`,
    caught: by('chargedOnce', /with [2-9] charges that succeeded/),
    seed: 6,
  },
  'looked up before it is repeated': {
    gateway: gateway => ({ ...gateway, findConfirmation: async () => null }),
    caught: by('gatewayMatches', /we say 0 and/),
    seed: 120,
  },
  'noted before it is sent': {
    // The claim that a charge is sent under is not committed with the word that it was taken up: afterwards it looks never sent.
    rewrite: text => text.replace('poll_count = poll_count + 1', 'poll_count = poll_count'),
    caught: by('gatewayMatches', /we say 0 and/),
    seed: 1052,
  },
} as const satisfies Record<string, LockTakenAway>

export type NegativeControlName = keyof typeof NEGATIVE_CONTROLS
