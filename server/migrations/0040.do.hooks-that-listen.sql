-- Whether any hook of an app listens, and a page of those that do, or do not: the app may have one for each of its merchants, and nearly all
-- of the other kind. A page of both is made of two, so that this one serves all that the one by app alone did.
create index hooks_of_app_by_activity on hooks (active, app_id, hook_id);
drop index hooks_of_app;
