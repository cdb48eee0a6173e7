import type { RedeliveryRequest } from '../../../sdk/typescript/src/index.ts'
import type { Call, Command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { connect, type Service } from '../service.ts'

const POLL_MS = 1_000

export const replay: Command = {
  name: 'replay',
  summary: 'Send one delivery, or a range of deliveries, to the endpoints again',
  takes: ['<id|range>'],
  options: {
    hook: { value: 'hookId', summary: 'only deliveries of this endpoint' },
    status: { value: 'status', summary: 'only DELIVERED, ERRORED or ERRORED_RETRYING' },
  },
  examples: [
    'tillhook replay 019a3c7e-5c00-7000-8000-0000000000f1',
    'tillhook replay 2026-11-01..2026-11-02 --status ERRORED',
    'tillhook replay 2026-11-01T08:00:00Z..2026-11-01T09:00:00Z --hook 019a3c7e-…',
  ],
  async run(call: Call) {
    const { args, options, terminal } = call
    const [asked = ''] = args
    const range = rangeOf(asked)
    const service = await connect(call)
    if (range === null) {
      await service.tillhook.redeliverOfApp({ appId: await service.appId(), deliveryId: asked })
      terminal.say(`${asked} is sent again.`)
      terminal.json({ deliveryId: asked })
      return
    }
    const { hook: hookId, status } = options
    const body = { ...range, ...(hookId && { hookId }), ...(status && { status }) } as RedeliveryRequest
    const done = await untilDone(service, body)
    const { queued, skipped } = done.progress
    terminal.say(`Deliveries sent again: ${queued}. Skipped: ${skipped}.`)
    terminal.json(done)
  },
}

async function untilDone({ tillhook, appId: findApp }: Service, body: RedeliveryRequest) {
  const appId = await findApp()
  let redelivery = await tillhook.startRedelivery({ appId, body })
  while (redelivery.state === 'RUNNING') {
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
    redelivery = await tillhook.getRedelivery({ appId, redeliveryId: redelivery.redeliveryId })
  }
  return redelivery
}

/** `from..to`, each an instant or a day. Null if the text is an id. */
function rangeOf(text: string): { startAt: string; endAt: string } | null {
  if (!text.includes('..')) return null
  const [from = '', to = ''] = text.split('..')
  if (from === '' || to === '') throw new UsageError(`${text} lacks its start or its end`)
  const [startAt, endAt] = [instantOf(from), instantOf(to)]
  return { startAt, endAt }
}

function instantOf(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw new UsageError(`${text} is not an instant`)
  return at.toISOString()
}
