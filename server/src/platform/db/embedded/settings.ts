/** PostgreSQL settings, as `-c name=value`. */
export type Settings = Readonly<Record<string, string>>

export const SETTINGS: Settings = {
  // A Unix socket was no faster here (35,000 queries/s either way, within the noise), postgres.js takes none in a URL,
  // and its path may have 107 bytes at most. Other local users meet scram-sha-256 and a password of 192 random bits.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // An acknowledged write is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Two pools of ours with room for psql. Each idle connection costs a few MB.
  max_connections: '60',
  shared_buffers: '256MB',
  max_wal_size: '512MB',
  wal_compression: 'on',
  // Containers often promise huge pages and kill who takes them, and have a /dev/shm too small for parallel queries.
  huge_pages: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // Our statements are short: compiling them costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements reach, and are logged by, the service; here they would only grow the file, with data in it.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}
