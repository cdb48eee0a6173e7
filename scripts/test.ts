import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXERCISED } from '../server/test/support/exercised.ts'
import { writeEntries } from './test-processes.ts'
import { OPTIONS, runTests, withFolder } from './test-run.ts'

/**
 * The tests in two rings. `npm test` runs the first ring: core, stores, routes, stories and tidy rules. `--all` runs both rings, then checks
 * that the tests exercised everything the contract declares. `--rest` runs what `npm test` left out: CI runs both commands, and
 * TILLHOOK_TEST_EXERCISED names the file through which the second run learns what the first run exercised. Other arguments go to the runner.
 */
const FIRST = [
  ...['server/src/**/*.test.ts', 'server/test/{contract,fresh,scenarios,support,tidy}/**/*.test.ts'],
  ...['bench/**/*.test.ts', 'scripts/**/*.test.ts'],
]
const ALL = ['{server,demo,bench,scripts,sdk,cli}/**/*.test.ts']
/**
 * These start programs, wait for real time, hash passwords, let months pass, talk to Stripe's SDK, or render pages for the browser: they
 * belong to the second ring, so that the first takes two minutes on two processors.
 */
const SLOW = [
  'server/src/access/{accounts,business-users,device-logins,invitations,memberships,sessions}/*.test.ts',
  'server/src/pages/**/*.test.ts',
  'server/src/access/**/pages.test.ts',
  'server/src/catalog/releases/apk/*.test.ts',
  'server/src/money/gateway/{sandbox,stripe}/*.test.ts',
  'server/src/money/{catch-up,endings,payouts,reconciliations,tax,test-clocks}/*.test.ts',
  'server/src/money/{ledger/routes,subscriptions/pages}.test.ts',
  'server/src/money/reports/{revenue,revenue-sums,unsettled}.test.ts',
  'server/src/platform/{db,db/embedded,egress,mail}/*.test.ts',
  'server/src/runtime/operations/*.test.ts',
  'server/src/webhooks/{deliveries,event-streams,redeliveries}/*.test.ts',
  'server/src/webhooks/hooks/reads.test.ts',
  'server/test/contract/{guides,other-languages}.test.ts',
  'server/test/scenarios/{another-card,authentication,cancelled-at-stripe,deleted-at-stripe,disputes}.test.ts',
  'server/test/scenarios/{ended-while-asked,gateway-fees,in-flight,late-money,payable-credit,plan-changes}.test.ts',
  'server/test/scenarios/{refunds-that-come-back,stripe,tax-by-address,tax-ids,transfers}.test.ts',
]

const given = process.argv.slice(2)
const ring = given.includes('--all') ? 'all' : given.includes('--rest') ? 'rest' : 'first'
const options = given.filter(option => option !== '--all' && option !== '--rest')

await withFolder(async folder => {
  const path = process.env[EXERCISED] ?? join(folder, 'exercised')
  await writeFile(path, '', { flag: 'a' })
  const run = (args: readonly string[]) => runTests(args, folder, { [EXERCISED]: path })
  const entries = await writeEntries(folder, ring === 'first' ? FIRST : ALL, excluded())
  // Tests wait for processes and databases much of their time: more files at once than cores keep the cores busy.
  const passed = await run([...OPTIONS, '--test-concurrency=5', ...options, ...entries])
  const isExercised =
    ring === 'first' || options.length > 0 || (await run(['--test', 'server/test/contract/exercised.ts']))
  process.exitCode = passed && isExercised ? 0 : 1
})

/** A pattern of files to leave out and a pattern of exceptions from it. */
function excluded() {
  if (ring === 'all') return { without: [], but: [] }
  return ring === 'first' ? { without: SLOW, but: [] } : { without: FIRST, but: SLOW }
}
