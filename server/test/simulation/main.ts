import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../global-setup.ts'
import type { RunResult } from './run.ts'
import { describe, STEPS, simulate } from './simulate.ts'

/** `npm run simulate -- --seed S --runs N [--steps K] [--processes P]` */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '200' },
    steps: { type: 'string', default: String(STEPS) },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})
const told = { from: Number(values.seed), runs: Number(values.runs), steps: Number(values.steps) }
const processes = Number(values.processes)
const EVERY_MS = 10_000

const results: RunResult[] = []
const began = performance.now()
const seconds = () => ((performance.now() - began) / 1_000).toFixed(0)
const sum = (of: (result: RunResult) => number) => results.reduce((total, result) => total + of(result), 0)
let shownAt = 0

await globalSetup()
try {
  await simulate({ ...told, processes }, result => {
    results.push(result)
    if (result.found !== undefined) print(describe(result, told.steps))
    if (performance.now() - shownAt < EVERY_MS) return
    shownAt = performance.now()
    print(`${results.length} of ${told.runs} runs, ${failed().length} failed, ${seconds()} s`)
  })
} finally {
  await globalTeardown()
}
print(
  `simulate: seeds ${told.from} to ${told.from + told.runs - 1}, ${told.steps} steps each: ${results.length} runs, ` +
    `${sum(({ turns }) => turns)} awaits put in order, ${sum(({ crashes }) => crashes)} crashes, ` +
    `${failed().length} failed, in ${seconds()} s with ${processes} processes`,
)
process.exitCode = failed().length === 0 && results.length === told.runs ? 0 : 1

function failed(): RunResult[] {
  return results.filter(({ found }) => found !== undefined)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
