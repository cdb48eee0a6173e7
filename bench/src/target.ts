import type { Row } from './row.ts'

/** The goal of a row. */
export interface Target {
  /** The row's name, or the beginning of its name followed by "…". */
  readonly row: string
  readonly text: string
  /** The measured value and its upper bound, or its lower bound if `atLeast`. Undefined if the row to compare with was not measured. */
  measure(row: Row, named: (name: string) => Row | undefined): Measured | undefined
}

export interface Measured {
  readonly value: number
  readonly bound: number
  readonly atLeast?: true
}
