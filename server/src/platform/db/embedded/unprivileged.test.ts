import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Scratch } from '../../../../test/support/scratch.ts'
import { openScratch } from '../../../../test/support/scratch.ts'
import {
  isRoot,
  kill,
  killServices,
  makeCluster,
  NOBODY,
  query,
  rejection,
  running,
  spawnService,
  start,
} from './services.fixture.ts'
import { findBinaries } from './site.ts'

let scratch: Scratch
let dataDir: string
before(async () => {
  scratch = await openScratch()
  dataDir = await makeCluster(scratch.folder)
})
after(() => {
  killServices()
  return scratch.remove()
})

const asRoot = { skip: !(isRoot && process.platform === 'linux') && 'needs root on Linux' }
const one = (url: string) => query(url, async sql => (await sql`select 1 as one`)[0]?.one)

test('root runs PostgreSQL as nobody in a separate folder, and finds the folder again', asRoot, async () => {
  const places = join(scratch.folder, 'places')
  const dataDir = join(scratch.folder, 'nobody')
  const first = await start({ dataDir, places, runAs: 'nobody' })
  await query(first.url, sql => sql`create table kept as select 7 as n`)
  assert.equal((await stat(`/proc/${first.pid}`)).uid, NOBODY)
  await first.stop()
  const place = (await readFile(join(dataDir, 'postgres.place'), 'utf8')).trim()
  assert.ok(place.startsWith(`${places}/`))
  assert.equal((await stat(join(place, 'postgres'))).mode & 0o777, 0o700)

  const service = spawnService({ dataDir, places })
  const { pid, url } = await running(service)
  assert.equal((await query(url, sql => sql`select n from kept`))[0]?.n, 7)
  await kill(service)
  const next = await start({ dataDir, places })
  assert.equal(next.pid, pid)
  await next.stop()

  await rename(place, `${place}.away`)
  await assert.rejects(start({ dataDir, places }), /says that the database is in .*, but it is not there/)
})

test(
  'in a folder that only root can enter, the files stay root’s and PostgreSQL does not run as root',
  asRoot,
  async () => {
    const closed = join(scratch.folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    await rename(dataDir, join(closed, 'data'))
    const { url, pid, stop } = await start({ dataDir: join(closed, 'data') })
    assert.equal(await one(url), 1)
    assert.match(await readFile(`/proc/${pid}/uid_map`, 'utf8'), /^\s*65534\s+0\s+1$/m)
    assert.equal((await stat(join(closed, 'data', 'postgres', 'postmaster.pid'))).uid, 0)
    await stop()
    await rename(join(closed, 'data'), dataDir)
  },
)

test('a cluster created in a user namespace is not created again where namespaces are denied', asRoot, async () => {
  const places = join(scratch.folder, 'denied-places')
  await assert.rejects(start({ dataDir, places, runAs: 'nobody' }), /user namespace, which this machine denies now/)
  const { url, stop } = await start({ dataDir })
  assert.equal(await one(url), 1)
  await stop()
})

test('an ordinary user runs PostgreSQL directly, and root does not change the owner of the data', asRoot, async t => {
  const reached = spawnSync(findBinaries().postgres, ['--version'], { uid: NOBODY, gid: NOBODY })
  if (reached.status !== 0) return t.skip('an ordinary user cannot reach these binaries')
  const dataDir = join(scratch.folder, 'ordinary')
  await mkdir(dataDir)
  await chown(dataDir, NOBODY, NOBODY)
  const service = spawnService({ dataDir, uid: NOBODY })
  const { url, pid } = await running(service)
  assert.equal(await one(url), 1)
  assert.equal((await stat(`/proc/${pid}`)).uid, NOBODY)
  await service.stop()
  await assert.rejects(start({ dataDir }), /belongs to user 65534, and Tillhook runs as user 0/)
})

test('an ordinary user gets an error that the data belongs to root', asRoot, async () => {
  await chmod(dataDir, 0o777)
  assert.match(
    await rejection(spawnService({ dataDir, uid: NOBODY })),
    /belongs to user 0, and Tillhook runs as user 65534/,
  )
  await chmod(dataDir, 0o700)
})
