import { parseArgs } from 'node:util'
import { UsageError } from './errors.ts'
import type { Terminal } from './terminal.ts'

/** A command as data: parsing, help and completion read it. */
export interface Command {
  /** One or two words: `events tail`. */
  readonly name: string
  readonly summary: string
  /** Positional arguments, as in the usage line: `<event>`, `[folder]`. */
  readonly takes?: readonly string[]
  /** The values of the first argument, for completion. */
  readonly values?: readonly string[]
  readonly options?: Readonly<Record<string, Option>>
  readonly examples: readonly string[]
  run(call: Call): Promise<void>
}

export interface Option {
  readonly summary: string
  /** The value's name in the help. Absent: the option takes no value. */
  readonly value?: string
}

export interface Call {
  readonly args: readonly string[]
  /** Options with a value. */
  readonly options: Readonly<Record<string, string | undefined>>
  readonly flags: ReadonlySet<string>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
}

/** Options of every command. */
export const COMMON: Readonly<Record<string, Option>> = {
  url: { value: 'address', summary: 'address of the service (TILLHOOK_URL; default http://127.0.0.1:8080)' },
  key: { value: 'key', summary: 'operator key (TILLHOOK_KEY)' },
  app: { value: 'appId', summary: 'the app (TILLHOOK_APP)' },
  'private-key': { value: 'file', summary: "the app's private key, to act as the app (TILLHOOK_PRIVATE_KEY)" },
  json: { summary: 'print JSON, one object per line' },
  help: { summary: 'show help' },
}

/** The longest command whose words begin the arguments. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  for (const length of [2, 1]) {
    const found = commands.find(({ name }) => name === words.slice(0, length).join(' '))
    if (found) return found
  }
  return undefined
}

/** Throws UsageError for an unknown option, a missing value or a wrong number of arguments. */
export function parseCall(
  command: Command,
  words: readonly string[],
  { env, makeTerminal }: Pick<Call, 'env'> & { makeTerminal: (isJson: boolean) => Terminal },
): Call {
  const known = { ...COMMON, ...command.options }
  const { values, positionals } = parse(known, words.slice(command.name.split(' ').length))
  const takes = command.takes ?? []
  const required = takes.filter(name => name.startsWith('<')).length
  const isHelp = values.help === true
  if (!isHelp && positionals.length < required) throw new UsageError(`${takes[positionals.length]} is missing`)
  if (positionals.length > takes.length) throw new UsageError(`unexpected argument ${positionals[takes.length]}`)
  const entries = Object.entries(values)
  return {
    args: positionals,
    options: Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')) as Record<string, string>,
    flags: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    env,
    terminal: makeTerminal(values.json === true),
  }
}

function parse(known: Readonly<Record<string, Option>>, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' } as const]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ')
    throw new UsageError(sentence.charAt(0).toLowerCase() + sentence.slice(1))
  }
}

export function helpOf(command: Command): string {
  const options = { ...command.options, ...COMMON }
  const shown = Object.entries(options).map(([name, { value, summary }]): [string, string] => [
    `--${name}${value ? ` <${value}>` : ''}`,
    summary,
  ])
  return [
    command.summary,
    '',
    `Usage: tillhook ${[command.name, ...(command.takes ?? [])].join(' ')} [options]`,
    ...(command.values ? ['', 'Values:', ...command.values.map(value => `  ${value}`)] : []),
    '',
    'Options:',
    ...table(shown),
    '',
    'Examples:',
    ...command.examples.map(example => `  ${example}`),
  ].join('\n')
}

export function overview(commands: readonly Command[]): string {
  return [
    "Forward Tillhook's webhooks to your machine, trigger events and manage apps.",
    '',
    'Usage: tillhook <command> [options]',
    '',
    'Commands:',
    ...table(commands.map(({ name, summary }) => [name, summary])),
    '',
    'tillhook <command> --help shows options and examples.',
    'Exit codes: 0 success, 1 error, 2 wrong usage, 3 not authorized, 4 service not reachable.',
  ].join('\n')
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
