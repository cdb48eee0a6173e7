-- How a business was named and reached before each change of it. Appended only: an invoice goes on naming whom it was issued to. One that is
-- older than every change of its business is of the first row after it; one that is younger than all of them, of the business as it is.
create table former_business_names (
  until_id uuid primary key, -- made in real time at the change, as the ids of invoices are
  business_id uuid not null references businesses,
  legal_name text not null,
  doing_business_as text not null,
  email_address text not null,
  address jsonb,
  country text not null
);
create index former_business_names_of_business on former_business_names (business_id, until_id);

create function refuse_to_change_former_names() returns trigger language plpgsql as $$
begin
  raise exception 'former_business_names is append-only: % is refused', lower(tg_op);
end
$$;
create trigger former_business_names_append_only before update or delete or truncate on former_business_names
  for each statement execute function refuse_to_change_former_names();

-- Changes up to now are known from the audit trail, which has the millisecond of each.
insert into former_business_names (
  until_id, business_id, legal_name, doing_business_as, email_address, address, country)
select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(entry_id), 12, '0'))::uuid,
  business_id, before ->> 'legal_name', before ->> 'doing_business_as', before ->> 'email_address',
  nullif(before -> 'address', 'null'), before ->> 'country'
from audit_entries
where kind = 'BUSINESS' and before is not null and after is not null
  and (before -> 'legal_name', before -> 'doing_business_as', before -> 'email_address', before -> 'address', before -> 'country')
    is distinct from
    (after -> 'legal_name', after -> 'doing_business_as', after -> 'email_address', after -> 'address', after -> 'country');
