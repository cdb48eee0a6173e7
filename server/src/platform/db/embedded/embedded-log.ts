import type { BaseLogger } from 'pino'

/** What the embedded database says while it starts and stops: the part of the log port that it needs. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>
