/**
 * Something that the service does by itself, again and again. `runOnce` does what is due now and tells how much it found; what could go
 * on for long asks whether it was stopped.
 */
export interface Duty {
  readonly name: string
  readonly idleMs: number | (() => number)
  runOnce(isStopped?: () => boolean): Promise<number>
}
