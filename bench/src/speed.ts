import { generateKeyPairSync, sign } from 'node:crypto'
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from './percentile.ts'

/** Durations of two fixed tasks, for comparing results of different machines and hours. */
export interface Speed {
  /** Processor time of one RSA signature of 2048 bits. */
  readonly signatureUs: number
  /** Time of writing and syncing 8 KiB of an existing file, as a commit does. */
  readonly syncP50Ms: number
  readonly syncP99Ms: number
}

const SIGNATURES = 1_000
const SYNCS = 500
const PAGE = Buffer.alloc(8_192)
/** The file is 1 MiB. */
const PAGES = 128

/** Takes about two seconds. `folder` is on the measured disk. */
export function measureSpeed(folder: string): Speed {
  return { signatureUs: measureSignature(), ...measureSync(join(folder, 'speed-of-the-disk')) }
}

function measureSignature(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signAll = (times: number) => {
    for (let n = 0; n < times; n++) sign('sha256', PAGE, privateKey)
  }
  signAll(SIGNATURES / 10)
  const before = process.cpuUsage()
  signAll(SIGNATURES)
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / SIGNATURES)
}

function measureSync(path: string): Pick<Speed, 'syncP50Ms' | 'syncP99Ms'> {
  const file = openSync(path, 'w')
  try {
    for (let page = 0; page < PAGES; page++) writeSync(file, PAGE)
    fdatasyncSync(file)
    const took = Array.from({ length: SYNCS }, (_, n) => {
      const began = performance.now()
      writeSync(file, PAGE, 0, PAGE.length, (n % PAGES) * PAGE.length)
      fdatasyncSync(file)
      return performance.now() - began
    })
    return { syncP50Ms: percentile(took, 0.5), syncP99Ms: percentile(took, 0.99) }
  } finally {
    closeSync(file)
    rmSync(path)
  }
}
