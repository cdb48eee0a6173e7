-- A purchase at a terminal is its user's: it can be completed while that user is signed in there, and may buy.
alter table purchases
  add column terminal_session_id uuid; -- in which it was asked for; no foreign key: sessions are purged

create index purchases_open_of_app on purchases (app_id, business_id, expires_at) where status = 'OPEN';
create index purchases_never_completed on purchases (ended_at) where status in ('CANCELLED', 'EXPIRED');
