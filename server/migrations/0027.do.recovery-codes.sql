-- When the recovery codes were made, beside the factor that they stand for: so that new ones leave an entry in the audit trail.
alter table second_factors add column recovery_codes_at timestamptz;
