import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { dirname } from 'node:path'
import { type DatabaseDescription, describeDatabase } from './database.ts'
import { measureSpeed, type Speed } from './speed.ts'

/** The machine of the measurements. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly kernel: string
  readonly node: string
  /** The file system of the data folder: on tmpfs an fsync costs nothing. */
  readonly fileSystem: string
  /** The load average of the last minute before the bench started processes. */
  readonly loadBefore: number
  readonly speed: Speed
  readonly postgres: DatabaseDescription
}

/** The usual file systems, by the type that statfs(2) returns. */
const FILE_SYSTEMS = new Map([
  [0xef53, 'ext4'],
  [0x01021994, 'tmpfs'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlay'],
  [0x1a, 'apfs'],
])

export async function describeMachine(dataDir: string, loadBefore: number): Promise<Machine> {
  const { type: fileSystem } = await statfs(dataDir)
  return {
    cpu: cpuModel(),
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    node: process.version,
    fileSystem: FILE_SYSTEMS.get(fileSystem) ?? `0x${fileSystem.toString(16)}`,
    loadBefore,
    speed: measureSpeed(dirname(dataDir)),
    postgres: await describeDatabase(dataDir),
  }
}

export function currentLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100
}

export function printMachine(machine: Machine): string {
  const { postgres, speed } = machine
  return [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.kernel}, Node ${machine.node}.`,
    `PostgreSQL ${postgres.version}: fsync ${postgres.fsync}, synchronous_commit ${postgres.synchronousCommit}, ` +
      `full_page_writes ${postgres.fullPageWrites}, shared_buffers ${postgres.sharedBuffers}; data on ${machine.fileSystem}.`,
    `An RSA signature takes ${speed.signatureUs} µs of a processor; 8 KiB are on the disk after ` +
      `${speed.syncP50Ms.toFixed(1)} ms in the median, ${speed.syncP99Ms.toFixed(1)} at the 99th percentile.`,
    'Service, PostgreSQL, listener and load generator share this machine. ' +
      `Load of the minute before: ${machine.loadBefore.toFixed(2)}.`,
  ].join('\n')
}

/** Node may find no processor model in a virtual machine. */
function cpuModel(): string {
  const model = cpus()[0]?.model.trim() ?? ''
  if (model !== '' && model !== 'unknown') return model
  try {
    return /^(?:model name|Hardware)\s*:\s*(.+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'unknown CPU'
  } catch {
    return 'unknown CPU'
  }
}
