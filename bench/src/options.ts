import { parseArgs } from 'node:util'

export interface Options {
  /** How often each scenario runs, one after the other in turn; the table shows medians. */
  readonly runs: number
  /** Of each measurement. */
  readonly seconds: number
  /** Writes bench/results. */
  readonly save: boolean
  /** Only the scenarios whose name contains it. */
  readonly only?: string
  /** What a reader of the saved numbers should know. */
  readonly note?: string
  /** A folder for the CPU profile of the service. */
  readonly profile?: string
}

const USAGE = `npm run bench -- [options]
  --runs <n>          each scenario n times, in turn; the table shows medians (1)
  --seconds <n>       of each measurement (8)
  --only <text>       only scenarios whose name contains it
  --save              write bench/results
  --note <text>       to stand beside the saved numbers
  --profile <folder>  write a CPU profile of the service there`

/** Throws an Error that says what is wrong and what there is. */
export function readOptions(args: readonly string[]): Options {
  try {
    return parse(args)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

function parse(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '8' },
      only: { type: 'string' },
      save: { type: 'boolean', default: false },
      note: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  return {
    runs: count('--runs', values.runs, 100),
    seconds: count('--seconds', values.seconds, 3_600),
    save: values.save,
    ...(values.only === undefined ? {} : { only: values.only }),
    ...(values.note === undefined ? {} : { note: values.note }),
    ...(values.profile === undefined ? {} : { profile: values.profile }),
  }
}

function count(name: string, text: string, most: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw new Error(`${name} must be an integer from 1 to ${most}, not "${text}".`)
  return value
}
