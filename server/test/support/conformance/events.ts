import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { PostedEvent } from '../../../src/money/gateway/gateway.ts'
import { AMOUNT } from './bench.ts'
import type { Bought, Outcome, ServiceOnBench } from './service.ts'

const DAY_MS = 86_400_000

type There = ServiceOnBench['bench']

interface Story {
  /** Happens at the gateway after the charge. */
  readonly happens: readonly ((there: There, gatewayChargeId: string) => Promise<void> | undefined)[]
  readonly ends: { readonly refunded?: number; readonly lostInDisputes?: number; readonly refundEvents?: number }
}

const refund = (amount: number) => (there: There, id: string) => there.refundAtGateway(id, amount)
const dispute = (status: 'open' | 'lost' | 'won') => (there: There, id: string) => there.dispute?.(id, status)

const STORIES: Readonly<Record<string, Story>> = {
  charged: { happens: [], ends: {} },
  'charged, and given back in two parts': {
    happens: [refund(300), refund(200)],
    ends: { refunded: 500, refundEvents: 2 },
  },
  'charged, and taken back by the bank': {
    happens: [dispute('open'), dispute('lost')],
    ends: { lostInDisputes: AMOUNT },
  },
  // The bank takes back the whole charge, including the refunded part.
  'charged, given back in part, and all of it taken back by the bank': {
    happens: [refund(300), dispute('lost')],
    ends: { refunded: 300, lostInDisputes: AMOUNT, refundEvents: 1 },
  },
  'charged, taken back by the bank, returned by it, and given back in part': {
    happens: [dispute('lost'), dispute('won'), refund(200)],
    ends: { refunded: 200, refundEvents: 1 },
  },
}

/** The events of one charge in order, and their permutations by a bad network. */
const ORDERS: Readonly<Record<string, (events: readonly PostedEvent[]) => readonly PostedEvent[]>> = {
  'in order': events => events,
  backwards: events => events.toReversed(),
  'the first one last': ([first, ...rest]) => (first ? [...rest, first] : rest),
  'each twice': events => events.flatMap(event => [event, event]),
  'all of them again, backwards': events => [...events, ...events.toReversed()],
  'the last one alone': events => events.slice(-1),
}

/** Events in any order and number lead to the result of events in order. */
export async function eventsConform(t: TestContext, service: ServiceOnBench): Promise<void> {
  const { bench, buy, post, applyEvents, pass, outcomeOf, keptOf } = service
  const { tokens } = bench

  for (const [name, { happens, ends }] of Object.entries(STORIES)) {
    const options = { skip: name.includes('bank') && !bench.dispute }
    await t.test(`${name}: the same in any order and any number of times`, options, async t => {
      const straight = await buy(tokens.ok)
      await happenThere(straight, happens, deliver)
      const expected = await outcomeOf(straight)
      assertEnds(expected, ends)

      for (const [how, arrange] of Object.entries(ORDERS)) {
        await t.test(how, async () => {
          // The service learns of the charge by the first event.
          const bought = await buy(tokens.ok, { loses: 'confirmCharge' })
          assert.deepEqual((await outcomeOf(bought)).charges, ['UNKNOWN'])
          const events: PostedEvent[] = []
          await happenThere(bought, happens, async event => void events.push(event))
          const arranged = arrange(events)
          for (const event of arranged) await deliver(event)
          assert.deepEqual(await outcomeOf(bought), expected)
          assert.deepEqual(await keptOf(bought.gatewayChargeId), { kept: countOf(arranged), open: 0 })
          // A later poll changes nothing.
          await pass(DAY_MS)
          assert.deepEqual(await outcomeOf(bought), expected)
        })
      }

      await t.test('all at once, each three times, applied by several processes', async () => {
        const bought = await buy(tokens.ok, { loses: 'confirmCharge' })
        const events: PostedEvent[] = []
        await happenThere(bought, happens, async event => void events.push(event))
        const statuses = await Promise.all([...events, ...events, ...events].map(post))
        assert.deepEqual(new Set(statuses), new Set([200]))
        await Promise.all([applyEvents(), applyEvents(), applyEvents()])
        assert.deepEqual(await outcomeOf(bought), expected)
        assert.deepEqual(await keptOf(bought.gatewayChargeId), { kept: countOf(events), open: 0 })
      })
    })
  }

  for (const [name, token, status] of [
    ['paid', tokens.ok, 'SUCCEEDED'],
    ['declined', tokens.soft, 'DECLINED_SOFT'],
  ] as const) {
    await t.test(
      `${name}: an event before the answer leads to the same result, and the answer changes nothing`,
      async () => {
        const expected = await outcomeOf(await buy(token))
        let before: Outcome | undefined
        const bought = await buy(token, {
          meanwhile: async bought => {
            await deliver(eventAbout(bought.gatewayChargeId))
            before = await outcomeOf(bought)
          },
        })
        assert.deepEqual(before?.charges, [status])
        assert.deepEqual(before, expected)
        assert.deepEqual(await outcomeOf(bought), expected)
      },
    )
  }

  for (const [name, token] of [
    ['pending', tokens.pending],
    ['actionRequired', tokens.actionRequired],
  ] as const) {
    await t.test(
      `${name}: the event of the payment comes before the answer that it is ${name}`,
      { skip: !token || !bench.finish },
      async () => {
        const bought = await buy(token ?? '', {
          meanwhile: async ({ gatewayChargeId }, key) => {
            await bench.finish?.({ gatewayChargeId, key }, 'succeeds')
            await deliver(eventAbout(gatewayChargeId))
          },
        })
        assert.deepEqual(await outcomeOf(bought), await outcomeOf(await buy(tokens.ok)))
      },
    )
  }

  async function deliver(event: PostedEvent): Promise<void> {
    assert.equal(await post(event), 200)
    await applyEvents()
  }

  function eventAbout(gatewayChargeId: string): PostedEvent {
    const event = bench.eventAbout?.(gatewayChargeId)
    assert.ok(event)
    return event
  }

  /** Happens at the gateway, with each event posted in order. */
  async function happenThere(
    { gatewayChargeId }: Bought,
    happens: Story['happens'],
    onEvent: (event: PostedEvent) => Promise<void>,
  ): Promise<void> {
    const delivered = new Set<string>()
    for (const happen of [undefined, ...happens]) {
      await happen?.(bench, gatewayChargeId)
      const posted = (await bench.eventsOf?.(gatewayChargeId)) ?? []
      const news = posted.filter(event => !delivered.has(idOf(event)))
      assert.ok(news.length > 0, 'the gateway sends an event')
      for (const event of news) {
        delivered.add(idOf(event))
        await onEvent(event)
      }
    }
  }

  function countOf(events: readonly PostedEvent[]): number {
    return new Set(events.map(idOf)).size
  }

  function idOf(event: PostedEvent): string {
    const read = bench.gateway.readEvent(event)
    assert.ok(read)
    return read.eventId
  }
}

function assertEnds(outcome: Outcome, { refunded = 0, lostInDisputes = 0, refundEvents = 0 }: Story['ends']): void {
  assert.deepEqual(outcome.invoice, { status: 'PAID', paid: AMOUNT, refunded, lostInDisputes })
  assert.deepEqual(outcome.charges, ['SUCCEEDED'])
  assert.deepEqual(outcome.eventTypes, ['START', 'PAYMENT_SUCCESS', ...Array(refundEvents).fill('REFUND_SUCCESS')])
  const atGateway = outcome.ledger.reduce((sum, { gateway }) => sum + Number(gateway), 0)
  // At most the rest of the charge is booked as charged back.
  assert.equal(atGateway, Math.max(0, AMOUNT - refunded - lostInDisputes))
}
