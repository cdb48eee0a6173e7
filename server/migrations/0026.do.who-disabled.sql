-- What the operator has disabled is not enabled by its developers. Whose doing it was so far nobody knows, so the operator decides.
alter table apps add column disabled_by text;
update apps set disabled_by = 'OPERATOR' where status = 'DISABLED';
alter table apps
  add constraint apps_disabled_by check (disabled_by in ('DEVELOPER', 'OPERATOR')),
  add constraint apps_disabled_by_somebody check ((status = 'DISABLED') = (disabled_by is not null));
