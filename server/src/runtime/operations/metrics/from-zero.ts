import type { Counter } from 'prom-client'

/** Shows a counter with each of these labels before anything is counted: Prometheus sees no increase in a series that begins at 1. */
export function fromZero<L extends string>(counter: Counter<L>, label: NoInfer<L>, values: readonly string[]): void {
  for (const value of values) counter.inc({ [label]: value } as Record<L, string>, 0)
}
