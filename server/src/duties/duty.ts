/** Something that the service does by itself, again and again. `runOnce` does what is due now and tells how much it found. */
export interface Duty {
  readonly name: string
  readonly idleMs: number | (() => number)
  runOnce(): Promise<number>
}
