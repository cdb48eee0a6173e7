import { type Cpu, mapCpu } from './cpu.ts'
import { median, percentile } from './percentile.ts'
import type { Failures, Tally } from './tally.ts'

/** One line of the table. */
export interface Row {
  readonly name: string
  /** Successful requests. Only these count for the rate and the latencies. */
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly mostMs: number
  readonly errors: number
  readonly failures: Failures
  /** Processor time per successful request. Absent without /proc. */
  readonly cpu?: Cpu
  /** The peak memory of the service, where it is measured. */
  readonly memoryMiB?: number
}

export function rowOf(name: string, { latenciesMs, failures }: Tally, seconds: number, cpu?: Cpu): Row {
  return {
    name,
    requests: latenciesMs.length,
    perSecond: round(seconds > 0 ? latenciesMs.length / seconds : 0),
    p50Ms: round(percentile(latenciesMs, 0.5)),
    p99Ms: round(percentile(latenciesMs, 0.99)),
    mostMs: round(percentile(latenciesMs, 1)),
    errors: sum(Object.values(failures)),
    failures,
    ...(cpu === undefined ? {} : { cpu: roundedCpu(cpu) }),
  }
}

/** One row for each name: the medians of its rates and latencies, the sums of its requests and errors. */
export function mediansOf(runs: readonly (readonly Row[])[]): Row[] {
  const byName = Object.values(Object.groupBy(runs.flat(), row => row.name))
  return byName.flatMap((rows = []) => rows.slice(0, 1).map(({ name }) => medianOf(name, rows)))
}

function medianOf(name: string, rows: readonly Row[]): Row {
  const failures: Record<string, number> = {}
  for (const row of rows) {
    for (const [word, times] of Object.entries(row.failures)) failures[word] = (failures[word] ?? 0) + times
  }
  return {
    name,
    requests: sum(rows.map(row => row.requests)),
    perSecond: round(median(rows.map(row => row.perSecond))),
    p50Ms: round(median(rows.map(row => row.p50Ms))),
    p99Ms: round(median(rows.map(row => row.p99Ms))),
    mostMs: Math.max(...rows.map(row => row.mostMs)),
    errors: sum(rows.map(row => row.errors)),
    failures,
    ...cpuOf(rows.flatMap(row => row.cpu ?? [])),
    ...memoryOf(rows.flatMap(row => row.memoryMiB ?? [])),
  }
}

function cpuOf(all: readonly Cpu[]): { cpu?: Cpu } {
  if (all.length === 0) return {}
  return { cpu: mapCpu(part => median(all.map(cpu => cpu[part]))) }
}

function memoryOf(all: readonly number[]): { memoryMiB?: number } {
  return all.length === 0 ? {} : { memoryMiB: Math.max(...all) }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Rounds to microseconds, the precision of a mean over thousands of requests. */
function roundedCpu(cpu: Cpu): Cpu {
  return mapCpu(part => Math.round(cpu[part] * 1000) / 1000)
}

/** A hundredth of a millisecond is far below the noise. */
function round(value: number): number {
  return Math.round(value * 100) / 100
}
