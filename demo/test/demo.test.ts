import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Five times the duration of the story. */
const ENDS_WITHIN_MS = 120_000

interface Report {
  events: { eventType: string; resourceId: string; attempt: number; signatureValid: boolean }[]
  invoices: { periodStart: string; periodEnd: string; amount: number; status: string }[]
  missing: number
}

test('the demo completes its steps on the real service and prints them as one JSON object', async () => {
  const { code, stdout, stderr } = await play()
  assert.equal(code, 0, stderr)
  const report: Report = JSON.parse(stdout)
  assert.deepEqual(
    report.events.map(({ eventType, attempt }) => `${eventType} ${attempt}`),
    [
      'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL 1',
      'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL 2',
      'APPLICATION_SUBSCRIPTION_START 1',
      'APPLICATION_SUBSCRIPTION_PHASE_CHANGE 1',
      'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS 1',
      'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS 1',
      'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS 1',
      'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL 1',
      'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL 1',
      'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS 1',
      'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS 1',
      'ORDER_OPENED 1',
      'ORDER_COMPLETED 1',
      'APPLICATION_SUBSCRIPTION_START 1',
      'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS 1',
      'APPLICATION_SUBSCRIPTION_END 1',
    ],
  )
  assert.ok(report.events.every(({ signatureValid }) => signatureValid))
  const resources = Map.groupBy(report.events, ({ eventType }) => eventType.startsWith('ORDER_'))
  // The declined purchase and the subscription of the bookshop are subscriptions of their own.
  const counts = [...resources.values()].map(events => new Set(events.map(({ resourceId }) => resourceId)).size)
  assert.deepEqual(counts, [3, 1])
  assert.deepEqual(report.invoices, [
    { ...invoice('2026-01-17', '2026-02-17'), amount: 200, status: 'VOID' },
    invoice('2026-01-31', '2026-02-28'),
    invoice('2026-02-28', '2026-03-31'),
    invoice('2026-03-31', '2026-04-30'),
    invoice('2026-04-30', '2026-05-31'),
  ])
  assert.equal(report.missing, 0)
  assert.match(stderr, /Credit note T-C-2026-000001 for \$2\.00 documents the refund/)
  assert.match(stderr, /Mail to owner@harbourbooks\.example: Receipt/)
  assert.match(stderr, /^demo: 15 notifications received, 15 signatures valid, 0 missing\n$/m)
})

function invoice(from: string, to: string) {
  return { periodStart: `${from}T09:30:00Z`, periodEnd: `${to}T09:30:00Z`, amount: 500, status: 'PAID' }
}

function play(): Promise<{ code: number | string | null | undefined; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [MAIN, '--json'], { timeout: ENDS_WITHIN_MS }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}
