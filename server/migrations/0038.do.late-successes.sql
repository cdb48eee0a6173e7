-- What counted as refused and was paid after all, for the recovery of a month: seldom one, among all that was ever paid.
create index charges_late_successes on charges (settled_at) where status = 'SUCCEEDED' and reason is not null;
