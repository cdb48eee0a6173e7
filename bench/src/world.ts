import type { Processes } from './cpu.ts'
import type { Inbox } from './inbox.ts'
import type { Recording } from './recording.ts'
import type { Row } from './row.ts'
import type { Seeded } from './seed.ts'

/** The context of a scenario. */
export interface World {
  readonly baseUrl: string
  readonly operatorKey: string
  readonly processes: Processes
  readonly databaseUrl: string
  readonly seeded: Seeded
  readonly inbox: Inbox
  /** The path of notifications alone; the same one for all who ask. */
  openRecording(): Promise<Recording>
  /** Of each measurement. */
  readonly seconds: number
  /** Added latency of each call to the sandbox gateway. */
  readonly gatewayDelayMs: number
  /** How long the history is. */
  readonly notifications: number
  /** Keeps the filled history in this folder for later runs. */
  readonly keep?: string
  readonly signal: AbortSignal
}

export interface Scenario {
  readonly name: string
  run(world: World): Promise<Row[]>
}

/** Before each measurement, its results thrown away: connections open, code is compiled. */
export const WARM_UP_SECONDS = 2
