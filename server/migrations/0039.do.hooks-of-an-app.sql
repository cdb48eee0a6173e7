-- A page of an app's hooks, in the order in which they were made: the app may have one for each of its merchants.
create index hooks_of_app on hooks (app_id, hook_id);
