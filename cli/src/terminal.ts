import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CliError } from './errors.ts'

/** The reader of the terminal: text for people, or JSON for programs. */
export interface Terminal {
  readonly isJson: boolean
  /** A person types the input. */
  readonly isTyped: boolean
  /** For people, on standard output. Silent with --json. */
  say(text: string): void
  /** Progress and warnings, on standard error. */
  note(text: string): void
  /** For programs, one line. Silent without --json. */
  json(value: unknown): void
  readonly paint: Paint
  /** A secret, typed without echo. With a pipe, its first line. */
  ask(question: string): Promise<string>
}

type Paint = Readonly<Record<'green' | 'red' | 'dim' | 'bold', (text: string) => string>>

const CODES = { green: 32, red: 31, dim: 2, bold: 1 } as const

export function createTerminal(env: Readonly<Record<string, string | undefined>>, isJson: boolean): Terminal {
  // https://no-color.org: any value that is not empty.
  const hasColour = process.stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  const paintWith = (code: number) => (text: string) => (hasColour ? `\x1b[${code}m${text}\x1b[0m` : text)
  return {
    isJson,
    isTyped: process.stdin.isTTY === true,
    say: text => {
      if (!isJson) process.stdout.write(`${text}\n`)
    },
    note: text => void process.stderr.write(`${text}\n`),
    json: value => {
      if (isJson) process.stdout.write(`${JSON.stringify(value)}\n`)
    },
    paint: Object.fromEntries(Object.entries(CODES).map(([name, code]) => [name, paintWith(code)])) as Paint,
    ask,
  }
}

async function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const isTyped = process.stdin.isTTY === true
  // The readline interface turns the echo off. It opens before the question, so that a secret typed early is not shown.
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTyped })
  if (isTyped) process.stderr.write(question)
  try {
    for await (const line of lines) return line.trim()
    throw new CliError(`the input is empty: expected ${question.replace(/: $/, '')}`)
  } finally {
    lines.close()
    if (isTyped) process.stderr.write('\n')
  }
}
