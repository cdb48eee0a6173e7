import { measureCosts } from './costs.ts'
import { measureMillion } from './million.ts'
import { measurePages } from './pages.ts'
import { measureScale } from './scale.ts'

export interface AloneOptions {
  print(text: string): void
  report(text: string): void
  readonly signal: AbortSignal
  /** The share of the rows to fill; 1 is the whole size. */
  readonly scale: number
}

/** Measurements that start their own processes and print a table. */
export const ALONE = {
  costs: measureCosts,
  million: measureMillion,
  pages: measurePages,
  scale: measureScale,
} as const satisfies Record<string, (options: AloneOptions) => Promise<void>>

export type AloneName = keyof typeof ALONE

export const ALONE_NAMES = Object.keys(ALONE) as AloneName[]
