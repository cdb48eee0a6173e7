import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { binariesIn } from './binaries.ts'
import { exists, writeDurably } from './data-folder.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

const run = promisify(execFile)

export type Account = { uid: number; gid: number }

/** Where the cluster is, and how its programs are run. */
export type Site = {
  dataDir: string
  /** Holds the cluster and, while it is made, its unfinished siblings. */
  parent: string
  cluster: string
  binaries: Binaries
  /** Words before a PostgreSQL program. */
  prefix: readonly string[]
  /** The account to become; none: stay as we are. */
  account?: Account
}

/** `nobody`: as root, do not try user namespaces. */
export type RunAs = 'detect' | 'nobody'

/**
 * PostgreSQL refuses root. As root it is run in a user namespace where root looks like `nobody`: files stay ours and
 * no folder needs to be opened to others. Where namespaces are denied (many containers), or the folder belongs to
 * somebody else, it runs as the real `nobody`, in a folder which that account can reach.
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

/** Kept only once the cluster exists: a noted cluster that is gone is lost data, never a reason to begin anew. */
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

/** Only trying tells: kernels, containers and security modules deny namespaces each in their own way. */
async function canRun(prefix: string[], postgres: string, dataDir: string): Promise<boolean> {
  const [command = '', ...words] = prefix
  const probe = 'test -w "$1" && exec "$2" --version'
  return run(command, [...words, 'sh', '-c', probe, 'probe', dataDir, postgres]).then(
    () => true,
    () => false,
  )
}

/** `nobody` may run, but not change, these copies; it owns only the cluster. */
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
