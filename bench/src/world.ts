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
  /** Starts the recording at the first call. Later calls return the same one. */
  openRecording(): Promise<Recording>
  /** The duration of each measurement. */
  readonly seconds: number
  /** Added latency of each call to the sandbox gateway. */
  readonly gatewayDelayMs: number
  readonly notifications: number
  /** Keeps the filled history in this folder for later runs. */
  readonly keep?: string
  readonly signal: AbortSignal
}

export interface Scenario {
  readonly name: string
  run(world: World): Promise<Row[]>
}

/** The length of the warm-up before each measurement, for opening connections and compiling code. Its results are discarded. */
export const WARM_UP_SECONDS = 2
