import type { Actor } from '../actors.ts'
import type { ListeningWorld } from '../listening-world.ts'

/** The world of one run of jobs. */
export interface Given extends Pick<ListeningWorld, 'app' | 'call' | 'developer' | 'merchant' | 'plan' | 'mails'> {
  /** In the names of this run, which other runs of the same service do not have. */
  readonly tag: string
  /** Of the developer. */
  readonly organizationId: string
  /** Another person of the workspace, by name. */
  colleague(): Promise<string>
  /** A server of the developer that acknowledges each webhook. */
  readonly listenerUrl: string
}

/** Things to do, in the words of the person who does them, and how. A job begins where the job before ends. */
export type Job = readonly [name: string, does: (who: Actor, given: Given) => Promise<void>]
