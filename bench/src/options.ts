import { parseArgs } from 'node:util'
import { ALONE_NAMES, type AloneName } from './alone.ts'
import { SUITE_NAMES, type SuiteName } from './suites.ts'

export interface Options {
  /** Default: `api` and `deliveries`. */
  readonly suite?: SuiteName | AloneName
  /** Runs of each scenario, interleaved; the table shows medians. */
  readonly runs: number
  /** Duration of each measurement. */
  readonly seconds: number
  /** Writes bench/results. */
  readonly save: boolean
  /** Only scenarios whose names contain one of these texts. */
  readonly only?: readonly string[]
  /** A note for readers of the saved numbers. */
  readonly note?: string
  /** A folder for the CPU profile of the service. */
  readonly profile?: string
  /** Added latency of each call to the sandbox gateway. */
  readonly gatewayDelayMs: number
  readonly notifications: number
  /** Share of the rows that `pages` fills: 1 is a million subscriptions. */
  readonly scale: number
  /** Keeps the filled history in this folder for later runs. */
  readonly keep?: string
}

const USAGE = `npm run bench -- [suite] [options]
  suite: ${SUITE_NAMES.join(', ')}; or ${ALONE_NAMES.join(', ')}, which take only --scale
  --runs <n>            interleaved runs of each scenario; the table shows medians (1)
  --seconds <n>         duration of each measurement (6)
  --only <text>         only scenarios whose names contain the text; repeatable
  --gateway-delay <ms>  added latency of each call to the sandbox gateway (0)
  --notifications <n>   number of notifications in the history (10000000)
  --scale <share>       share of the rows of pages, from 0.01 to 1 (1)
  --keep <folder>       keep the filled history in the folder, or reuse it
  --save                write bench/results
  --note <text>         add a note to the saved results
  --profile <folder>    write a CPU profile of the service into the folder`

/** Throws an Error with the problem and the usage. */
export function readOptions(args: readonly string[]): Options {
  try {
    return parse(args)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

function parse(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '6' },
      only: { type: 'string', multiple: true },
      save: { type: 'boolean', default: false },
      note: { type: 'string' },
      profile: { type: 'string' },
      'gateway-delay': { type: 'string', default: '0' },
      notifications: { type: 'string', default: '10000000' },
      scale: { type: 'string', default: '1' },
      keep: { type: 'string' },
    },
  })
  const [suite, ...others] = positionals
  if (others.length > 0) throw new Error(`Name one suite, without "${others.join(' ')}".`)
  return {
    ...(suite === undefined ? {} : { suite: suiteOf(suite) }),
    runs: count('--runs', values.runs, 100),
    seconds: count('--seconds', values.seconds, 3_600),
    save: values.save,
    gatewayDelayMs: values['gateway-delay'] === '0' ? 0 : count('--gateway-delay', values['gateway-delay'], 5_000),
    notifications: count('--notifications', values.notifications, 100_000_000),
    scale: shareOf('--scale', values.scale),
    ...(values.keep === undefined ? {} : { keep: values.keep }),
    ...(values.only === undefined ? {} : { only: values.only }),
    ...(values.note === undefined ? {} : { note: values.note }),
    ...(values.profile === undefined ? {} : { profile: values.profile }),
  }
}

function suiteOf(text: string): SuiteName | AloneName {
  const suite = [...SUITE_NAMES, ...ALONE_NAMES].find(name => name === text)
  if (suite === undefined) throw new Error(`There is no suite "${text}".`)
  return suite
}

function count(name: string, text: string, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw new Error(`${name} must be an integer from 1 to ${most}, not "${text}".`)
  return value
}

function shareOf(name: string, text: string): number {
  const value = /^(0\.\d{1,2}|1)$/.test(text) ? Number(text) : 0
  if (value === 0) throw new Error(`${name} must be from 0.01 to 1, not "${text}".`)
  return value
}
