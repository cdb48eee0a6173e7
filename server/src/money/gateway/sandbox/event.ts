import { createHmac, timingSafeEqual } from 'node:crypto'
import type { GatewayEvent, PostedEvent } from '../gateway.ts'

const HEADER = 'sandbox-signature'

/** The sandbox is inside the service: whoever has the master key may speak for it. */
export function eventSecretOf(masterKey: Buffer): string {
  return createHmac('sha256', masterKey).update('events of the sandbox').digest('hex')
}

/** An event as the sandbox would post it, for tests and demonstrations: its bytes and their signature. */
export function signEvent(event: GatewayEvent, secret: string): PostedEvent {
  const payload = Buffer.from(JSON.stringify(event))
  return { payload, headers: { [HEADER]: signatureOf(payload, secret).toString('hex') } }
}

export function readEvent({ payload, headers }: PostedEvent, secret: string | undefined): GatewayEvent | null {
  const given = Buffer.from(String(headers[HEADER] ?? ''), 'hex')
  if (secret === undefined) return null
  const expected = signatureOf(payload, secret)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return JSON.parse(Buffer.from(payload).toString()) as GatewayEvent
}

function signatureOf(payload: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest()
}
