import { build } from 'hdr-histogram-js'

const MICROSECONDS = 1_000

/** The value in milliseconds that a share (0 to 1) of the values does not exceed, to three significant digits. NaN without values. */
export function percentile(valuesMs: readonly number[], share: number): number {
  if (valuesMs.length === 0) return Number.NaN
  const histogram = build({ useWebAssembly: false })
  for (const ms of valuesMs) histogram.recordValue(Math.max(0, Math.round(ms * MICROSECONDS)))
  return histogram.getValueAtPercentile(share * 100) / MICROSECONDS
}

/** The mean of the two middle values for an even count. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}
