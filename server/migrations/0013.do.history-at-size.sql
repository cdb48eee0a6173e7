-- Pages of the history at ten million notifications: docs/decisions/0012-history-at-size.md.

-- A hook's, and those of one type of an app: without these a page of what is rare reads all of an app.
create index notifications_of_hook on notifications (hook_id, notification_id);
create index notifications_of_app_and_type on notifications (app_id, event_type, notification_id);
-- What a hook has missed.
create index outcomes_errored_of_hook on outcomes (hook_id, notification_id) where status = 'ERRORED';
