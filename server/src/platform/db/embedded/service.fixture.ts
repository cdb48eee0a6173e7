import { createInterface } from 'node:readline'
import { type EmbeddedOptions, startEmbedded } from './start.ts'

/** A service in a separate process, for tests to kill. Prints one line of JSON; `stop` on stdin stops the service. */
const { uid, ...options } = JSON.parse(process.argv[2] ?? '{}') as Omit<EmbeddedOptions, 'log'> & { uid?: number }
const input = createInterface(process.stdin)
const ignore = () => {}

// Only now: an ordinary user may not be able to read the modules above.
if (uid !== undefined) {
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
}
try {
  const { pid, url, stop } = await startEmbedded({ ...options, log: { info: ignore, warn: ignore, error: ignore } })
  say({ pid, url })
  // The end of the input is the end of the test process: its watchdog then takes the server away.
  const abandon = () => process.exit()
  input.once('close', abandon)
  input.once('line', () => {
    input.off('close', abandon)
    stop().then(abandon)
  })
} catch (error) {
  say({ refused: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
  process.exit()
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
