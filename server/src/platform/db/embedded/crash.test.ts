import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Scratch } from '../../../../test/support/scratch.ts'
import { openScratch } from '../../../../test/support/scratch.ts'
import { commandOf } from './postmaster.ts'
import { kill, killServices, makeCluster, query, running, spawnService, start } from './services.fixture.ts'

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

test('a start after a kill -9 of the service takes over the running PostgreSQL', async () => {
  const service = spawnService({ dataDir })
  const { pid, url } = await running(service)
  await query(url, sql => sql`create table adopted as select 7 as n`)
  await kill(service)
  const next = await start({ dataDir })
  assert.equal(next.pid, pid)
  assert.equal((await query(next.url, sql => sql`select n from adopted`))[0]?.n, 7)
  await next.stop()
  assert.equal(await commandOf(pid), null)
})

test('a start after a kill -9 of service and PostgreSQL recovers the committed data', async () => {
  const service = spawnService({ dataDir })
  const { pid, url } = await running(service)
  await query(url, sql => sql`create table recovered as select 7 as n`)
  await kill(service)
  process.kill(pid, 'SIGKILL')
  const next = await start({ dataDir })
  assert.notEqual(next.pid, pid)
  assert.equal((await query(next.url, sql => sql`select n from recovered`))[0]?.n, 7)
  await next.stop()
})

test('a stale postmaster.pid does not prevent a start, even if another process has its number', async () => {
  const cluster = join(dataDir, 'postgres')
  // A process id without a process, this process, and init.
  for (const number of [2 ** 22 + 1, process.pid, 1]) {
    await writeFile(
      join(cluster, 'postmaster.pid'),
      `${number}\n${cluster}\n1790000000\n5432\n\n127.0.0.1\n\nready   \n`,
    )
    const { pid, stop } = await start({ dataDir })
    assert.notEqual(pid, number)
    await stop()
  }
})

test('a kill -9 during the creation of the cluster leaves no incomplete cluster', async () => {
  const dataDir = join(scratch.folder, 'half')
  const service = spawnService({ dataDir })
  const isMaking = async () => (await readdir(dataDir).catch(() => [])).some(name => name.includes('unfinished-'))
  for (let polls = 0; polls < 12_000 && !(await isMaking()); polls += 1) await wait(5)
  await kill(service)
  assert.ok(!(await readdir(dataDir)).includes('postgres'))
  const { url, stop } = await start({ dataDir })
  assert.equal((await query(url, sql => sql`select 1 as one`))[0]?.one, 1)
  await stop()
  assert.ok((await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).startsWith('1'))
})
