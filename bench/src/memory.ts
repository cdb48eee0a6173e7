import { readFileSync } from 'node:fs'

/** What a process holds in memory, in MB; undefined where there is no /proc. */
export function memoryMiBOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024)
  } catch {
    return undefined
  }
}
