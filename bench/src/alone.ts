import { measureCosts } from './costs.ts'
import { measureMillion } from './million.ts'
import { measureScale } from './scale.ts'

export interface AloneOptions {
  print(text: string): void
  /** Progress. */
  tell(text: string): void
  readonly signal: AbortSignal
}

/** Measurements that start what they need themselves, print a table, and take no options. */
export const ALONE = {
  costs: measureCosts,
  million: measureMillion,
  scale: measureScale,
} as const satisfies Record<string, (options: AloneOptions) => Promise<void>>

export type AloneName = keyof typeof ALONE

export const ALONE_NAMES = Object.keys(ALONE) as AloneName[]
