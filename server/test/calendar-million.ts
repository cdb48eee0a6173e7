import { checkCalendar } from '../src/core/calendar.property.ts'

/** By hand, after a change of the calendar: `npm run calendar -- [runs]`. A million take some 20 s. */
const runs = Number(process.argv[2] ?? 1_000_000)
const startedAt = performance.now()
checkCalendar(runs)
process.stdout.write(`${runs} cases as Temporal reckons them, ${Math.round(performance.now() - startedAt)} ms\n`)
