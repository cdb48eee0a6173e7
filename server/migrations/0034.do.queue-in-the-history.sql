-- Pages of the history that ask for SCHEDULED or ERRORED_RETRYING: docs/decisions/0012-history-at-size.md. `least(attempts, 1)` tells these two
-- apart. `attempts` changes only together with what other indexes hold, so a claim stays a HOT update.
create index deliveries_of_hook on deliveries (hook_id, least(attempts, 1), notification_id);
create index deliveries_of_business on deliveries (business_id, least(attempts, 1), notification_id);
create index deliveries_of_app on deliveries (app_id, least(attempts, 1), notification_id);
