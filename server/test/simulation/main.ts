import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { GATEWAY_NAMES } from '../../src/money/gateway/gateway.ts'
import { globalSetup, globalTeardown } from '../global-setup.ts'
import type { RunResult } from './run.ts'
import { describe, STEPS, simulate } from './simulate.ts'

/** `npm run simulate -- --seed S --runs N [--steps K] [--processes P] [--gateway stripe]` */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '200' },
    steps: { type: 'string', default: String(STEPS) },
    gateway: { type: 'string', default: 'sandbox' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})
const gateway = GATEWAY_NAMES.find(name => name === values.gateway)
assert.ok(gateway, `a gateway is one of ${GATEWAY_NAMES.join(', ')}`)
const seeds = { gateway, from: Number(values.seed), runs: Number(values.runs), steps: Number(values.steps) }
const processes = Number(values.processes)
const EVERY_MS = 10_000

const results: RunResult[] = []
const began = performance.now()
const seconds = () => ((performance.now() - began) / 1_000).toFixed(0)
const sum = (of: (result: RunResult) => number) => results.reduce((total, result) => total + of(result), 0)
let shownAt = 0

await globalSetup()
try {
  await simulate({ ...seeds, processes }, result => {
    results.push(result)
    if (result.found !== undefined) print(describe(result, seeds))
    if (performance.now() - shownAt < EVERY_MS) return
    shownAt = performance.now()
    print(`${results.length} of ${seeds.runs} runs, ${failed().length} failed, ${seconds()} s`)
  })
} finally {
  await globalTeardown()
}
print(
  `simulate: seeds ${seeds.from} to ${seeds.from + seeds.runs - 1}, ${seeds.steps} steps each, paid by ${gateway}: ${results.length} runs, ` +
    `${sum(({ turns }) => turns)} awaits put in order, ${sum(({ crashes }) => crashes)} crashes, ` +
    `${failed().length} failed, in ${seconds()} s with ${processes} processes`,
)
process.exitCode = failed().length === 0 && results.length === seeds.runs ? 0 : 1

function failed(): RunResult[] {
  return results.filter(({ found }) => found !== undefined)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
