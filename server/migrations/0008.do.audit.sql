-- Who did what to which thing and when, before and after.

-- One row for each row that a request changed, written by the change itself. Appended, never changed.
create table audit_entries (
  entry_id bigint generated always as identity primary key, -- of one thing: the order of its changes
  at timestamptz not null, -- real time, when the act began
  principal text not null,
  principal_kind text not null,
  operation text not null,
  method text not null,
  path text not null, -- the route's
  request_id text not null,
  kind text not null,
  resource_id text not null, -- the key's columns, joined by '/'
  business_id uuid,
  organization_id uuid,
  before jsonb, -- null: made
  after jsonb, -- null: deleted
  constraint audit_entries_of_a_change check (before is not null or after is not null)
);
create index audit_entries_by_time on audit_entries (at, entry_id);
create index audit_entries_of_resource on audit_entries (resource_id, entry_id);
create index audit_entries_of_principal on audit_entries (principal, at, entry_id);

create function refuse_to_change_audit_entries() returns trigger language plpgsql as $$
begin
  raise exception 'audit_entries is append-only: % is refused', lower(tg_op);
end
$$;
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_to_change_audit_entries();

-- Arguments: kind, key columns, columns that are never recorded. The act is what the transaction said of itself
-- (audit/store.ts); its triggers pass over transactions that said nothing, as those of the loops.
create function record_change() returns trigger language plpgsql as $$
declare
  act jsonb := current_setting('tillhook.act');
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - tg_argv[2]::text[] end;
  became jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - tg_argv[2]::text[] end;
  thing jsonb := coalesce(became, was);
begin
  -- The whole rows: a change of what is not recorded is a change.
  if tg_op = 'UPDATE' and old is not distinct from new then
    return null;
  end if;
  insert into audit_entries (
    at, principal, principal_kind, operation, method, path, request_id, kind, resource_id, business_id, organization_id,
    before, after)
  values (
    (act ->> 'at')::timestamptz, act ->> 'principal', act ->> 'principalKind', act ->> 'operation', act ->> 'method',
    act ->> 'path', act ->> 'requestId', tg_argv[0],
    (select string_agg(thing ->> key, '/' order by position)
      from unnest(tg_argv[1]::text[]) with ordinality as k (key, position)),
    (thing ->> 'business_id')::uuid, (thing ->> 'organization_id')::uuid, was, became);
  return null;
end
$$;

create trigger organizations_audited after insert or update or delete on organizations for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('ORGANIZATION', '{organization_id}', '{}');
create trigger apps_audited after insert or update or delete on apps for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('APP', '{app_id}', '{}');
create trigger app_keys_audited after insert or update or delete on app_keys for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('APP_KEY', '{app_id,kid}', '{}');
create trigger releases_audited after insert or update or delete on releases for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('RELEASE', '{release_id}', '{}');
create trigger plans_audited after insert or update or delete on plans for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('PLAN', '{plan_id}', '{}');
create trigger businesses_audited after insert or update or delete on businesses for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('BUSINESS', '{business_id}', '{}');
create trigger stores_audited after insert or update or delete on stores for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('STORE', '{store_id}', '{}');
create trigger devices_audited after insert or update or delete on devices for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('DEVICE', '{device_id}', '{activation_code_hash}');
create trigger approvals_audited after insert or update or delete on approvals for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('APPROVAL', '{business_id,app_id}', '{}');
create trigger payment_methods_audited after insert or update or delete on payment_methods for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('PAYMENT_METHOD', '{payment_method_id}', '{reference,label}');
create trigger subscriptions_audited after insert or update or delete on subscriptions for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('SUBSCRIPTION', '{subscription_id}', '{}');
create trigger invoices_audited after insert or update or delete on invoices for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('INVOICE', '{invoice_id}', '{}');
create trigger refunds_audited after insert or update or delete on refunds for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('REFUND', '{refund_id}', '{}');
create trigger hooks_audited after insert or update or delete on hooks for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('HOOK', '{hook_id}', '{secret,fingerprint}');
create trigger orders_audited after insert or update or delete on orders for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('ORDER', '{order_id}', '{}');
create trigger test_clocks_audited after insert or update or delete on test_clocks for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('TEST_CLOCK', '{test_clock_id}', '{}');
