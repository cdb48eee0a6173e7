import type { InvariantCheckName } from '../../src/money/invariant-checks/checks.ts'
import type { NegativeControl } from './stage.ts'
import type { Found } from './watch.ts'

/** A removed lock against a double charge, which a rule must detect. */
export interface RemovedLock extends NegativeControl {
  detects(found: Found): boolean
  /** A seed that is known to detect the missing lock. The test tries other seeds after it. */
  readonly seed: number
}

/** Selects a violation of a rule. `what`: a text that appears only if the lock is missing. */
const by =
  (rule: InvariantCheckName, what = /./) =>
  (found: Found) =>
    found.rule === rule && what.test(found.what)

/** Removes the row lock, which allows one decision at a time. While the row lock exists, lock 1 never has an effect. */
export const withoutRowLocks = (text: string) => text.replace(/for no key update( of \w+)?( skip locked)?/, '')

/** Writes each attempt twice, although it was decided once. While each decision is made once, lock 3 never has an effect. */
const CHARGE_TWICE = `
  create function charge_twice() returns trigger language plpgsql as $$ begin
    insert into charges (charge_id, invoice_id, subscription_id, app_id, business_id, merchant_type, test_clock_id, payment_method_id,
      amount, currency, status, started_at, next_poll_at, poll_count)
    values (md5(new.charge_id::text)::uuid, new.invoice_id, new.subscription_id, new.app_id, new.business_id,
      new.merchant_type, new.test_clock_id, new.payment_method_id, new.amount, new.currency, new.status, new.started_at, new.next_poll_at, new.poll_count);
    return null;
  end $$;
  create trigger charges_twice after insert on charges for each row when (pg_trigger_depth() = 0)
    execute function charge_twice()`

export const NEGATIVE_CONTROLS = {
  // Without `invoices_period_once` and the row locks, 60 random runs issued no second invoice. redundant-locks.test.ts forces two transactions to
  // meet, and shows the second invoice that the constraint prevents.
  'one charge object per invoice': {
    gateway: (gateway, random) => ({
      ...gateway,
      createCharge: request => gateway.createCharge({ ...request, key: `random ${random.next()}` }),
    }),
    detects: by('oneChargeObject'),
    seed: 215,
  },
  'one intent per invoice': {
    at: 'stripe',
    // Creates the charge again if the process does not know of it; only Stripe's idempotency key could prevent the duplicate.
    gateway: (gateway, random) => ({
      ...gateway,
      createCharge: request => gateway.createCharge({ ...request, key: `random ${random.next()}` }),
    }),
    detects: by('gatewayMatches', /taken twice|two intents that can be paid/),
    seed: 1024,
  },
  'one live charge per invoice': {
    ddl: `drop index charges_one_alive; ${CHARGE_TWICE}`,
    detects: by('chargedOnce', /with [2-9] charges that succeeded/),
    seed: 6,
  },
  'look-up before a repeat': {
    gateway: gateway => ({ ...gateway, findConfirmation: async () => null }),
    detects: by('gatewayMatches', /we say 0 and/),
    seed: 120,
  },
  'committed before it is sent': {
    // The claim of a charge does not record that the charge was claimed, so a sent charge later looks as if it was never sent.
    rewrite: text => text.replace('poll_count = poll_count + 1', 'poll_count = poll_count'),
    detects: by('gatewayMatches', /we say 0 and/),
    seed: 1052,
  },
} as const satisfies Record<string, RemovedLock>

export type NegativeControlName = keyof typeof NEGATIVE_CONTROLS
