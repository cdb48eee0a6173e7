import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** The command line of a running process; null when there is none (a dead one not yet reaped has lost its own). */
export async function commandOf(pid: number): Promise<string | null> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return (process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid)) || null
}

async function fromProc(pid: number): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return words.replaceAll('\0', ' ').trim()
}

async function fromPs(pid: number): Promise<string> {
  const ps = promisify(execFile)
  const listed = await ps('ps', ['-p', String(pid), '-ww', '-o', 'command=']).catch(() => ({ stdout: '' }))
  return listed.stdout.trim()
}
