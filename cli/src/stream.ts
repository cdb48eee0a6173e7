import { type EventMessage, TillhookConnectionError } from '../../sdk/typescript/src/index.ts'
import type { Call, Option } from './command.ts'
import { EVENTS } from './commands/trigger.ts'
import type { Service } from './service.ts'

export const STREAM_OPTIONS: Readonly<Record<string, Option>> = {
  events: { value: 'types', summary: 'only these event types, separated by commas' },
  after: { value: 'cursor', summary: 'continue after this cursor, which --json prints' },
}

type NotificationMessage = Extract<EventMessage, { type: 'notification' }>

/** The app's events until Ctrl-C. Says on standard error when the connection is lost and when it is back. */
export async function* followApp(
  { tillhook, url, appId }: Service,
  { options, terminal }: Call,
  onReady: () => void = () => terminal.note('Ready. Press Ctrl-C to stop.'),
): AsyncGenerator<NotificationMessage> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
  const unknown = options.events?.split(',').filter(type => !EVENTS.includes(type)) ?? []
  // A newer service may know the type.
  if (unknown.length > 0)
    terminal.note(`This version does not know the event types ${unknown.join(', ')}: check --events.`)
  let isReady = false
  let isLost = false
  const messages = tillhook.events({
    appId: await appId(),
    signal: stop.signal,
    ...(options.after !== undefined && { after: options.after }),
    onDisconnect: (_waitMs, error) => {
      if (error === undefined) return
      if (!isReady) {
        isLost = true
        throw new TillhookConnectionError(`no response from ${url}`, { cause: error })
      }
      if (!isLost) terminal.note(`Connection lost (${reasonOf(error)}). Reconnecting…`)
      isLost = true
    },
  })
  try {
    for await (const message of messages) {
      if (message.type === 'notification') {
        yield message
        continue
      }
      if (!isReady) onReady()
      else if (isLost) terminal.note('Connected again.')
      if (message.missed) terminal.note('Events before this moment may be missing: the stream had ended or was full.')
      isReady = true
      isLost = false
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, onSignal)
  }
}

export function isWanted({ eventType }: { readonly eventType: string }, types: string | undefined): boolean {
  return types === undefined || types.split(',').includes(eventType)
}

function reasonOf(error: Error): string {
  const { cause } = error as { cause?: { code?: string } }
  return cause?.code ?? error.message
}
