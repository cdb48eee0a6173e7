#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { TillhookConnectionError, TillhookError } from '../../sdk/typescript/src/index.ts'
import { findCommand, helpOf, overview, parseCall } from './command.ts'
import { COMMANDS } from './commands.ts'
import { CliError, UsageError } from './errors.ts'
import { VERSION } from './package.ts'
import { createTerminal } from './terminal.ts'

async function main(words: readonly string[]): Promise<void> {
  const { env } = process
  // `npm run tillhook` starts in the package's folder, but file names are relative to the folder in which the person called npm.
  if (env.npm_lifecycle_event === 'tillhook' && env.INIT_CWD) process.chdir(env.INIT_CWD)
  if (words[0] === '--version') return void process.stdout.write(`${VERSION}\n`)
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    const asked = findCommand(COMMANDS, words.slice(1))
    return void process.stdout.write(`${asked ? helpOf(asked) : overview(COMMANDS)}\n`)
  }
  const command = findCommand(COMMANDS, words)
  if (command === undefined) {
    const [first = ''] = words
    const near = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
    throw new UsageError(near.length > 0 ? `choose one of: ${near.join(', ')}` : `there is no command ${first}`)
  }
  const call = parseCall(command, words, { env, makeTerminal: isJson => createTerminal(env, isJson) })
  if (call.flags.has('help')) return void process.stdout.write(`${helpOf(command)}\n`)
  await command.run(call)
}

/** The message for a person, and the exit code. */
function explain(error: unknown): { message: string; exitCode: number } {
  if (error instanceof UsageError) return { message: `${error.message}. See tillhook --help.`, exitCode: 2 }
  if (error instanceof CliError) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof TillhookConnectionError) {
    const reason = reasonOf(error.cause)
    return {
      message: `${capital(error.message)} (${reason}). Check the address (--url) and your network.`,
      exitCode: 4,
    }
  }
  if (error instanceof TillhookError) {
    const exitCode = error.status === 401 || error.status === 403 ? 3 : 1
    const where = error.requestId === undefined ? '' : `, request ${error.requestId}`
    if (error.code === 'INVALID_ACCESS_TOKEN') {
      return { message: `Tillhook does not accept these credentials${where}. Run tillhook login again.`, exitCode: 3 }
    }
    const fields = error.fields.map(({ path, problem }) => `\n  ${path} ${problem}`).join('')
    return { message: `${error.message} (${error.code}${where})${fields}`, exitCode }
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: 1 }
}

/** `fetch` wraps the reason. A host with several addresses has several reasons. */
function reasonOf(cause: unknown): string {
  const { code, message, cause: inner, errors } = (cause ?? {}) as Error & { code?: string; errors?: unknown[] }
  if (errors?.length) return reasonOf(errors[0])
  return inner === undefined ? (code ?? message ?? 'no reason') : reasonOf(inner)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Node reads HTTPS_PROXY and NO_PROXY only at start, and only if asked. */
function startWithProxy(): boolean {
  const { env } = process
  const hasProxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some(name => env[name])
  if (!hasProxy || env.NODE_USE_ENV_PROXY !== undefined) return false
  if (Number(process.versions.node.split('.')[0]) < 24) {
    process.stderr.write('tillhook: HTTPS_PROXY is ignored: it needs Node 24 or newer.\n')
    return false
  }
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...env, NODE_USE_ENV_PROXY: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', code => process.exit(code ?? 1))
  return true
}

// The reader closed the pipe, for example `head` in `tillhook events tail | head`.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0)
  throw error
})

if (!startWithProxy()) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    const { message, exitCode } = explain(error)
    process.stderr.write(`tillhook: ${message}\n`)
    process.exitCode = exitCode
  }
}
