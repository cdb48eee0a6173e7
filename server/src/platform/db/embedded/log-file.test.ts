import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { boundLog, logTail } from './postmaster.ts'

test('a too long log is rotated while PostgreSQL writes, and the old lines are kept once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-log-'))
  try {
    const path = join(folder, 'postgres.log')
    await boundLog(path)
    await appendFile(path, 'short\n')
    await boundLog(path)
    assert.equal(await logTail(path), 'short')
    await appendFile(path, 'x'.repeat(8 * 1024 * 1024))
    await boundLog(path)
    await appendFile(path, 'after\n')
    assert.equal(await readFile(path, 'utf8'), 'after\n')
    assert.ok((await stat(`${path}.1`)).size > 8 * 1024 * 1024)
  } finally {
    await rm(folder, { recursive: true })
  }
})
