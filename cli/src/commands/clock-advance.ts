import type { Call, Command } from '../command.ts'
import { CliError } from '../errors.ts'
import { readProfile } from '../profile.ts'
import { connect } from '../service.ts'
import { moveClock, moved } from '../test-merchant.ts'

export const advanceClock: Command = {
  name: 'clock advance',
  summary: "Advance a test merchant's clock and run every renewal and retry on the way",
  takes: ['<by>'],
  options: { merchant: { value: 'businessId', summary: 'default: the merchant of the last trigger' } },
  examples: [
    'tillhook clock advance 1mo',
    'tillhook clock advance 30d --merchant 019a3c7e-…',
    'tillhook clock advance 2027-02-01T00:00:00Z',
  ],
  async run(call: Call) {
    const { args, options, env, terminal } = call
    const businessId = options.merchant ?? (await readProfile(env)).merchant
    if (businessId === undefined) throw new CliError('Which merchant? Add --merchant <businessId>.', 2)
    const { tillhook } = await connect(call)
    const { list } = await tillhook.listTestClocks({ businessId })
    const [clock] = list
    if (clock === undefined) throw new CliError(`The merchant ${businessId} has no test clock.`)
    await moveClock(tillhook, clock.testClockId, moved(new Date(clock.now), args[0] ?? ''))
    const { now } = await tillhook.getTestClock({ testClockId: clock.testClockId })
    terminal.say(`The merchant's clock is at ${now}.`)
    terminal.json({ businessId, testClockId: clock.testClockId, now })
  },
}
