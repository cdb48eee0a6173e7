-- An invoice is never edited once it is issued: only its status, and what was paid and given back of it, change. A statement that names no
-- other column does not fire this, so it costs a renewal nothing.
create function refuse_to_edit_invoices() returns trigger language plpgsql as $$
begin
  raise exception 'an invoice that is issued is never edited: % is refused', lower(tg_op);
end
$$;
create trigger invoices_never_edited before delete or truncate or update of
  invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, term, period_index, country, currency, amount,
  credit_applied, lines, period_start, period_end, created_at
  on invoices for each statement execute function refuse_to_edit_invoices();
