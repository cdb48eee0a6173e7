import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Commit } from './commit.ts'
import { type Machine, printMachine } from './machine.ts'
import { printRatios } from './ratios.ts'
import { mediansOf, type Row } from './row.ts'
import { printTable } from './table.ts'
import { printTargets } from './targets.ts'

export interface Results {
  /** The name of the suite and of the result files. */
  readonly suite: string
  readonly startedAt: Date
  readonly commit: Commit
  readonly machine: Machine
  readonly seconds: number
  readonly note?: string
  readonly runs: readonly (readonly Row[])[]
}

const FOLDER = fileURLToPath(new URL('../results', import.meta.url))

/** Replaces the suite's latest results: a JSON file with all numbers and a page. Returns the path of the JSON file. */
export async function saveResults(results: Results): Promise<string> {
  const { suite, startedAt, commit, machine, seconds, note, runs } = results
  const day = startedAt.toISOString().slice(0, 10)
  const name = `${suite}.json`
  const rows = mediansOf(runs)
  const kept = { suite, startedAt, commit, machine, secondsOfEachMeasurement: seconds, note, medians: rows, runs }
  const median = runs.length === 1 ? 'One run' : `Medians of ${runs.length} interleaved runs`
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, name), `${JSON.stringify(kept, null, 2)}\n`)
  await writeFile(
    join(FOLDER, `${suite}.md`),
    `# Latest results: ${suite}

Written by \`npm run bench -- --save\`. [../README.md](../README.md) explains each row.

${median} of ${seconds} s each, ${day}, commit ${commit.id}${commit.isChanged ? ' and changes since' : ''} ([all numbers](${name})).

${[printMachine(machine), ...(note === undefined ? [] : [note])].join('\n\n')}

${printTable(rows)}

${[printRatios(rows), printTargets(rows)].filter(Boolean).join('\n')}
`,
  )
  return join(FOLDER, name)
}
