/** Milliseconds of the machine's monotonic clock. It is the same in all processes, unlike `performance.now()`. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
