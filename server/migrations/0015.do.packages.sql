-- The package that a release came with. In the database, because each process must be able to give it back; in pieces, because
-- none should have to hold it whole.

alter table releases
  add column package_size integer constraint releases_package_size check (package_size > 0),
  add column package_sha256 text constraint releases_package_sha256 check (package_sha256 ~ '^[0-9a-f]{64}$'),
  add column package_content_type text,
  add constraint releases_package_whole check (num_nulls(package_size, package_sha256, package_content_type) in (0, 3));

create table package_chunks (
  release_id uuid not null references releases,
  position integer not null constraint package_chunks_position check (position >= 0),
  bytes bytea not null,
  primary key (release_id, position)
);
-- Packages are compressed already.
alter table package_chunks alter column bytes set storage external;
