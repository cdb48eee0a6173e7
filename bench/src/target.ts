import type { Row } from './row.ts'

/** The goal of a row. */
export interface Target {
  /** Its name, or with what it begins: then it ends in "…". */
  readonly row: string
  readonly text: string
  /** The measured value and its bound; at most that, unless `atLeast`. Undefined: what it is compared with was not measured. */
  measure(row: Row, named: (name: string) => Row | undefined): Measured | undefined
}

export interface Measured {
  readonly value: number
  readonly bound: number
  readonly atLeast?: true
}
