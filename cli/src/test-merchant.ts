import type { Tillhook } from '../../sdk/typescript/src/index.ts'
import { CliError } from './errors.ts'

const DAY_MS = 86_400_000

/** A test merchant with a clock and an approval of the app. */
export interface TestMerchant {
  readonly businessId: string
  readonly testClockId: string
}

export async function makeTestMerchant(tillhook: Tillhook, appId: string): Promise<TestMerchant> {
  const { organizationId } = await tillhook.getApp({ appId })
  const { businessId } = await tillhook.createBusiness({
    body: {
      ...{ legalName: 'CLI Test Cafe', emailAddress: 'cli@cafe.example', country: 'US', type: 'TEST_MERCHANT' },
      organizationId,
    },
  })
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  const { testClockId } = await tillhook.createTestClock({ body: { businessId, now } })
  await tillhook.approveApp({ businessId, body: { appId } })
  return { businessId, testClockId }
}

export async function addCard(tillhook: Tillhook, { businessId }: TestMerchant, token: string): Promise<void> {
  await tillhook.addPaymentMethod({ businessId, body: { gateway: 'sandbox', token } })
}

/** Moves the clock, and waits until everything up to then has happened. */
export async function moveClock(tillhook: Tillhook, testClockId: string, to: Date): Promise<void> {
  const instant = to.toISOString().replace(/\.\d+Z$/, 'Z')
  for (;;) {
    const { status } = await tillhook.advanceTestClock({ testClockId, body: { to: instant } })
    if (status === 'READY') return
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}

/** `from` moved by `30d`, `2w`, `1mo`, `1y` or `6h`. An instant is used unchanged. */
export function moved(from: Date, by: string): Date {
  const [, count, unit = ''] = /^(\d{1,4})(h|d|w|mo|y)$/.exec(by) ?? []
  if (count === undefined) {
    const instant = new Date(by)
    if (Number.isNaN(instant.getTime()))
      throw new CliError(`${by} is neither a duration such as 30d, 1mo or 6h nor an instant`, 2)
    return instant
  }
  const n = Number(count)
  if (unit === 'h') return new Date(from.getTime() + n * 3_600_000)
  if (unit === 'd' || unit === 'w') return new Date(from.getTime() + n * (unit === 'w' ? 7 : 1) * DAY_MS)
  const months = from.getUTCMonth() + n * (unit === 'y' ? 12 : 1)
  const last = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const to = new Date(from)
  to.setUTCMonth(months, Math.min(from.getUTCDate(), last))
  return to
}
