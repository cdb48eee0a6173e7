import type { Processes } from './cpu.ts'
import type { Inbox } from './inbox.ts'
import type { Recording } from './recording.ts'
import type { Row } from './row.ts'
import type { Seeded } from './seed.ts'

/** What a scenario has to work with. */
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
  /** What each call to the sandbox gateway takes beside its work. */
  readonly gatewayDelayMs: number
  /** How long the history is. */
  readonly notifications: number
  /** A folder in which the filled history stays, to be read again. */
  readonly keep?: string
  readonly signal: AbortSignal
}

export interface Scenario {
  readonly name: string
  run(world: World): Promise<Row[]>
}

/** Before each measurement, its results thrown away: connections open, code is compiled. */
export const WARM_UP_SECONDS = 2
