import { pino } from 'pino'
import { readConfig } from './config.ts'
import { EmbeddedDatabaseError } from './platform/db/embedded/embedded-database-error.ts'
import { MigrationError } from './platform/db/migrate.ts'
import { LOG_SERIALIZERS } from './runtime/operations/log.ts'
import { type Service, startService } from './runtime/start/service.ts'
import { StartRefused } from './runtime/start/start-refused.ts'

/** What whoever starts it can mend: told in a sentence. Everything else shows its stack. */
const TOLD = [StartRefused, EmbeddedDatabaseError, MigrationError]

// The names of the gateway, the mail server and PostgreSQL are resolved in libuv's thread pool, which signs and hashes too: with the default
// of 4, a name server that is away would hold that up. Webhooks have a resolver of their own (egress).
process.env.UV_THREADPOOL_SIZE ??= '16'

const config = readConfig(process.env, process.argv.slice(2))
if ('problems' in config) {
  tell(['Tillhook cannot start with these settings:', ...config.problems.map(problem => `  ${problem}`)])
  process.exit(1)
}

const log = pino({ level: config.logLevel, serializers: LOG_SERIALIZERS }, pino.destination({ dest: 2, sync: false }))

try {
  const starting = startService(config, log)
  stopOnSignal(starting)
  const service = await starting
  say([`Tillhook is ready at ${service.url}`])
  if (service.madeOperatorKey !== undefined) {
    say([`Operator key, shown this once: ${service.madeOperatorKey}`])
  }
} catch (error) {
  if (!TOLD.some(kind => error instanceof kind)) throw error
  tell([(error as Error).message])
  process.exit(1)
}

/** Ctrl-C under npm arrives twice within milliseconds: from the terminal and from npm. A service manager may signal the group as well. */
const IMPATIENT_AFTER_MS = 3_000

/**
 * The first signal stops the service cleanly. A second signal after 3 seconds comes from an impatient person and stops the process at
 * once. A start is not interrupted, which would leave its PostgreSQL running: the start ends first.
 */
function stopOnSignal(starting: Promise<Service>): void {
  let stoppingSinceMs: number | undefined
  const stop = async (signal: NodeJS.Signals) => {
    const nowMs = performance.now()
    if (stoppingSinceMs !== undefined) {
      if (nowMs - stoppingSinceMs >= IMPATIENT_AFTER_MS) process.exit(130)
      return
    }
    stoppingSinceMs = nowMs
    log.info({ signal }, 'stopping: finishing what is in flight')
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

function tell(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`)
}
