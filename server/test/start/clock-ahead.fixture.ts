import { AHEAD_MS } from './ahead.ts'

/** Loaded before a program with `--import`: its wall clock is wrong by so much, in all of its code. Durations are not. */
const aheadMs = Number(process.env[AHEAD_MS])
const RealDate = Date

class WrongDate extends RealDate {
  constructor(...given: [] | [string | number | Date]) {
    if (given.length === 0) super(RealDate.now() + aheadMs)
    else super(...(given as [string | number | Date]))
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

globalThis.Date = WrongDate as DateConstructor
