import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { constants } from 'node:os'
import { parseArgs } from 'node:util'
import { EXPECTED_EVENTS } from './chapters.ts'
import { createClient } from './client.ts'
import { openDoorway } from './doorway.ts'
import { openInbox } from './inbox.ts'
import type { Receipt } from './listener.ts'
import { waitForMail } from './mailbox.ts'
import { createPrinter } from './print.ts'
import { lastLogLines, startService } from './service.ts'
import { ChapterFailed, play } from './stage.ts'
import { inviteVisitor, type Platform } from './stay.ts'
import { type Ending, tellStory } from './story.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { judge } from './verdict.ts'

const { json, stay } = readArguments()
const printer = createPrinter(json ? process.stderr : process.stdout)
const interrupted = new AbortController()
process.exitCode = await run(stopsOn(interrupted))

function readArguments(): { json: boolean; stay: boolean } {
  try {
    const option = { type: 'boolean', default: false } as const
    const { values } = parseArgs({ options: { json: option, stay: option } })
    if (!(values.json && values.stay)) return values
  } catch {
    // The failure is printed below.
  }
  process.stderr.write(
    'The demo knows two options, one at a time: npm run demo -- --json, to report as one JSON object;\n' +
      'npm run demo -- --stay, to keep the platform running and look around.\n',
  )
  process.exit(1)
}

/** Starts the service and the listener, plays the story, stops both, and returns the exit code. */
async function run(signal: AbortSignal): Promise<number> {
  const receipts: Receipt[] = []
  let code: number | undefined
  try {
    const ending = await playAll(signal, receipts, async (ending, platform) => {
      if (!stay) return
      code = printVerdict(receipts, ending)
      await keepRunning(platform, ending)
    })
    return code ?? printVerdict(receipts, ending)
  } catch (error) {
    // The visitor pressed ctrl-C after the story.
    if (signal.aborted) return code ?? (typeof signal.reason === 'number' ? signal.reason : 1)
    printer.problem(error instanceof Error ? error.message : String(error))
    return code === undefined ? printVerdict(receipts, undefined) : 1
  }
}

/** Prints the verdict with the summary as the last line. Returns the exit code. */
function printVerdict(receipts: readonly Receipt[], ending: Ending | undefined): number {
  const verdict = judge(EXPECTED_EVENTS, receipts, ending?.history)
  if (ending) {
    printer.invoices(ending.invoices)
    printer.receipts(receipts)
    for (const problem of verdict.problems) printer.problem(problem)
  }
  const { received, valid, missing } = verdict
  printer.end(`demo: ${received} notifications received, ${valid} signatures valid, ${missing} missing`)
  if (json) process.stdout.write(`${JSON.stringify(toJson(receipts, ending, missing))}\n`)
  return ending !== undefined && verdict.problems.length === 0 ? 0 : 1
}

/** Undefined if a chapter failed; the reason has been printed. */
async function playAll(
  signal: AbortSignal,
  receipts: Receipt[],
  afterwards: (ending: Ending, platform: Platform) => Promise<void>,
): Promise<Ending | undefined> {
  await using folder = await makeTemporaryFolder()
  await using inbox = await openInbox(receipt => {
    receipts.push(receipt)
    printer.receipt(receipt)
  })
  const operatorKey = randomBytes(24).toString('base64url')
  await using service = await startService(folder, operatorKey)
  const { baseUrl } = service
  try {
    await play({ inbox, printer, signal }, 'start', async () => {
      const beganAt = performance.now()
      await service.waitUntilReady({ signal, onWait: printer.tick })
      printer.say(`Ready at ${baseUrl} after ${((performance.now() - beganAt) / 1000).toFixed(1)} s.`)
    })
    const operator = createClient({ baseUrl, bearer: operatorKey, signal })
    const expectMail = (mail: { to: string; holding: RegExp }) => waitForMail(folder, { ...mail, signal })
    const ending = await tellStory({ baseUrl, operator, inbox, printer, waitForMail: expectMail, signal })
    await afterwards(ending, { baseUrl, folder, operator, operatorKey, signal })
    return ending
  } catch (error) {
    if (!(error instanceof ChapterFailed)) throw error
    printer.problem(error.message)
    printer.problem('The last lines of the service:')
    for (const line of await lastLogLines(folder)) printer.say(line)
    return undefined
  }
}

/** Waits for an interrupt. */
async function keepRunning(platform: Platform, ending: Ending): Promise<void> {
  await using doorway = await openDoorway(platform.baseUrl)
  for (const line of await inviteVisitor(platform, ending, doorway)) printer.plain(line)
  const { signal } = platform
  if (!signal.aborted) await once(signal, 'abort')
}

/** Ctrl-C, `kill`, a closed terminal or a closed pipe end the story. The demo still stops its processes cleanly. */
function stopsOn(controller: AbortController): AbortSignal {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => controller.abort(128 + constants.signals[name]))
  }
  process.stdout.on('error', () => controller.abort(1))
  controller.signal.addEventListener('abort', () => printer.say('Stopping what was started …'))
  return controller.signal
}

function toJson(receipts: readonly Receipt[], ending: Ending | undefined, missing: number) {
  return {
    events: receipts.map(({ eventType, resourceId, attempt, signatureValid }) => {
      return { eventType, resourceId, attempt, signatureValid }
    }),
    invoices: (ending?.invoices ?? []).map(({ periodStart, periodEnd, amount, status }) => {
      return { periodStart, periodEnd, amount, status }
    }),
    missing,
  }
}
