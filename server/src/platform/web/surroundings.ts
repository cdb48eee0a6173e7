import { AsyncLocalStorage } from 'node:async_hooks'

export type Theme = 'light' | 'dark'

/** Live data are of merchants, test data of test merchants. */
export type Mode = 'live' | 'test'

/** The data that the frame shows around the content of a page. */
export interface Surroundings {
  /** Path and query of the page. The forms of the frame lead back to it. */
  readonly address: string
  /** Absent: as the reader's machine is. */
  readonly theme?: Theme
  /** Absent: the workspace has no switch between live and test data. */
  readonly mode?: Mode
  /** An operator sees the workspace as its viewer. The token is of the stop button. */
  readonly viewing?: { readonly name: string; readonly endsAt: Date; readonly csrf: string }
  /** The person's workspaces, of which one is current. Empty: nobody is signed in. */
  readonly workspaces: readonly { readonly membershipId: string; readonly name: string; readonly isCurrent: boolean }[]
  /** By the path of a page of the sidebar: how many things need attention there, and what they are. */
  readonly counts: Readonly<Record<string, { readonly number: number; readonly what: string }>>
}

const current = new AsyncLocalStorage<Surroundings>()
const NONE: Surroundings = { address: '/', workspaces: [], counts: {} }

/** Runs the work, and all that it awaits, for the page with these surroundings. */
export function inSurroundings<T>(surroundings: Surroundings, work: () => T): T {
  return current.run(surroundings, work)
}

export function surroundings(): Surroundings {
  return current.getStore() ?? NONE
}
