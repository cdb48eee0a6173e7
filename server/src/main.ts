import { pino } from 'pino'
import { readConfig, settingsInForce } from './config.ts'
import { EmbeddedDatabaseError } from './platform/db/embedded/site.ts'
import { MigrationError } from './platform/db/migrate.ts'
import { LOG_SERIALIZERS } from './runtime/operations/watch.ts'
import { type Service, StartError, startService } from './start/service.ts'

/** Errors that the operator can fix: one sentence without a stack. Every other error shows its stack. */
const START_ERRORS = [StartError, EmbeddedDatabaseError, MigrationError]

const IMPATIENT_AFTER_MS = 3_000
const LOOPBACK = 'Development installation: webhooks may reach 127.0.0.1. Set TILLHOOK_ALLOWED_NETWORKS to change this.'

// libuv's thread pool resolves the names of the gateway, the mail server and PostgreSQL, and also signs and hashes. An unavailable name
// server would block the default of 4 threads. Webhooks use a separate resolver (egress).
process.env.UV_THREADPOOL_SIZE ??= '16'

const config = readConfig(process.env, process.argv.slice(2))
if ('problems' in config) {
  printError(['Tillhook cannot start with these settings:', ...config.problems.map(problem => `  ${problem}`)])
  process.exit(1)
}

const log = pino({ level: config.logLevel, serializers: LOG_SERIALIZERS }, pino.destination({ dest: 2, sync: false }))

try {
  const starting = startService(config, log, settingsInForce(process.env, process.argv.slice(2)))
  stopOnSignal(starting)
  const service = await starting
  const { url, allowsLoopback, madeOperatorKey, setUpUrl } = service
  // All lines are one write, so a program that waits for the first line gets the others, too.
  say([
    `Tillhook is ready at ${url}`,
    ...(allowsLoopback ? [LOOPBACK] : []),
    ...(madeOperatorKey === undefined ? [] : [`Operator key, shown this once: ${madeOperatorKey}`]),
    ...(setUpUrl === undefined ? [] : [`Create the first operator, with the operator key, at ${setUpUrl}`]),
  ])
} catch (error) {
  if (!START_ERRORS.some(kind => error instanceof kind)) throw error
  printError([(error as Error).message])
  process.exit(1)
}

/**
 * The first signal stops the service cleanly. A second signal ends the process at once if it comes 3 seconds later or more: `npm start`
 * passes a signal on that the terminal or the service manager has already sent to the whole process group.
 */
function stopOnSignal(starting: Promise<Service>): void {
  let stoppingSinceMs: number | undefined
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs >= IMPATIENT_AFTER_MS) process.exit(130)
      return
    }
    stoppingSinceMs = performance.now()
    log.info({ signal }, 'stopping: finishing the requests and jobs in progress')
    // A start runs to its end first: an interrupted start would leave PostgreSQL running.
    const service = await starting.catch(() => null)
    if (service === null) return
    try {
      await service.stop()
      process.exit(0)
    } catch (error) {
      log.error({ err: error }, 'the stop failed')
      process.exit(1)
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function printError(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`)
}
