import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { GatewayName } from '../../src/money/gateway/gateway.ts'
import type { NegativeControlName } from './negative-controls.ts'
import type { RunResult } from './run.ts'

export interface Seeds {
  readonly from: number
  readonly runs: number
  /** Runs every n-th seed. */
  readonly stride: number
  readonly steps: number
  /** Default: the sandbox. */
  readonly gateway?: GatewayName
  /** The removed lock. Stops at the first run that notices. */
  readonly control?: NegativeControlName
}

/** Enough for several charges, crashes and declines, and short enough to read. */
export const STEPS = 40

const FIXTURE = fileURLToPath(new URL('seeds.fixture.ts', import.meta.url))

/** Runs seeds in several processes, each with a database. Calls back with each result, in any order. */
export async function simulate(
  seeds: Omit<Seeds, 'stride'> & { readonly processes: number },
  onResult: (result: RunResult) => void,
): Promise<void> {
  const { from, runs, processes, ...rest } = seeds
  const children: ChildProcess[] = []
  const results = Array.from({ length: Math.min(processes, runs) }, async (_, n) => {
    const share: Seeds = { ...rest, from: from + n, runs: runs - n, stride: processes }
    const child = spawn(process.execPath, [FIXTURE, JSON.stringify(share)], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const closed = once(child, 'close')
    for await (const line of createInterface({ input: child.stdout })) {
      const result = JSON.parse(line) as RunResult
      onResult(result)
      // A control needs one failing seed.
      if (rest.control !== undefined && result.found !== undefined) for (const one of children) one.kill()
    }
    const [code, signal] = await closed
    if (code !== 0 && signal === null) throw new Error(`a process of the simulation ended with ${code}`)
  })
  await Promise.all(results)
}

/** The report of a failed run, with the command to repeat the run. */
export function describe(
  { seed, found, lastSteps }: RunResult,
  { steps, gateway = 'sandbox' }: Pick<Seeds, 'steps' | 'gateway'>,
): string {
  const there = gateway === 'sandbox' ? '' : ` --gateway ${gateway}`
  return [
    `seed ${seed} breaks ${found?.rule}: ${found?.what}`,
    'the last steps:',
    ...lastSteps.map(step => `  ${step}`),
    `again: npm run simulate -- --seed ${seed} --runs 1 --steps ${steps}${there}`,
  ].join('\n')
}
