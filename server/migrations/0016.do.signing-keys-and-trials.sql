-- Every plan that a business has had on trial, however often a trial changed its plan.

create table plan_trials (
  business_id uuid not null references businesses,
  plan_id uuid not null references plans,
  primary key (business_id, plan_id)
);
-- Of a plan that came after the first, it was not kept whether that was still in the trial: it counts, as it did.
insert into plan_trials (business_id, plan_id)
select business_id, trial_plan_id from subscriptions where trial_plan_id is not null
union
select business_id, plan_id from subscriptions where trial_end_at is not null;
alter table subscriptions drop column trial_plan_id;

-- Signing keys may now be rotated by request, which is an act.

create trigger signing_keys_audited after insert or update or delete on signing_keys for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('SIGNING_KEY', '{kid}', '{private_jwk}');
