import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { globalSetup, globalTeardown } from '../global-setup.ts'
import { makeTenant, type Tenant } from '../matrix/tenant.ts'
import { newPerson } from '../support/people.ts'
import { tokenWithin } from '../support/tokens.ts'
import { createWorld, OPERATOR_KEY, type World } from '../support/world.ts'

/**
 * npm run contract:schemathesis -- --caller terminal --examples 50 --seed 7
 *
 * Runs schemathesis (PyPI) with all its phases against a whole service, once as each kind of caller. Needs Python 3; pip downloads
 * schemathesis into a temporary folder.
 */
const { values } = parseArgs({
  options: {
    caller: { type: 'string', multiple: true },
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
  },
})
const VERSION = '4.32.5'
const run = promisify(execFile)
const MANY_BYTES = { maxBuffer: 2 ** 28 }

const CALLERS: Readonly<Record<string, (world: World, tenant: Tenant) => Promise<string>>> = {
  operator: async () => OPERATOR_KEY,
  app: async (_, { token }) => token,
  'app-of-business': (world, { app, ids }) => tokenWithin(world, app, String(ids.businessId)),
  terminal: async (_, { ids }) => String(ids.terminalToken),
  developer: async (world, { ids }) => {
    const person = await newPerson(world, { kind: 'DEVELOPER', organizationId: String(ids.organizationId) }, 'ADMIN')
    return person.token
  },
}

/**
 * Operations whose rules a schema cannot express, so that 400 is a right answer to a request that fits the schema: a field that another
 * field requires, a cursor of the same list, an instant after another, a day that exists, a key in PEM, a password, a device code, an
 * https address, a search with a letter or a digit, one of several texts, a signature of the body.
 */
const RULES_BEYOND_SCHEMA = [
  'activateDevice',
  'addAppKey',
  'addPaymentMethod',
  'advanceTestClock',
  'bookAdjustment',
  'bookPayout',
  'changeBrand',
  'changePassword',
  'changeRole',
  'changeSubscription',
  'createApp',
  'createBusiness',
  'createBusinessUser',
  'createTestClock',
  'downloadDailyRevenue',
  'getDailyRevenue',
  'getHookHealth',
  'invite',
  'issueToken',
  'listApps',
  'listInvitations',
  'listOrganizations',
  'listPeople',
  'listSubscriptions',
  'nameSeller',
  'openOrder',
  'pollDeviceLogin',
  'receiveGatewayEvent',
  'removeOperatorTaxRate',
  'removeSecondFactor',
  'removeTaxRate',
  'setOperatorTaxRate',
  'setTaxRate',
  'renewRecoveryCodes',
  'reportOrderEvents',
  'revokeToken',
  'searchBusinesses',
  'searchCharges',
  'searchDisputes',
  'searchInvoices',
  'searchSubscriptions',
  'searchTerminals',
  'sendEvidence',
  'setUpSecondFactor',
  'signIn',
  'signInAtTerminal',
  'startRedelivery',
  'submitRelease',
  'updateApp',
  'updateBusiness',
  'updateBusinessUser',
  'updateHook',
]

/** The contract's instants are of the years 1970 to 9999, which a schema of `date-time` cannot say. */
const INSTANTS = `
import datetime
import schemathesis
from hypothesis import strategies

instants = strategies.datetimes(datetime.datetime(1970, 1, 1), datetime.datetime(9999, 12, 31))
schemathesis.openapi.format("date-time", instants.map(lambda at: at.isoformat() + "Z"))
`

const folder = await mkdtemp(join(tmpdir(), 'tillhook-schemathesis-'))
await globalSetup()
try {
  await writeFile(join(folder, 'instants.py'), INSTANTS)
  await run('python3', ['-m', 'venv', join(folder, 'venv')])
  await run(join(folder, 'venv/bin/pip'), ['install', '-q', `schemathesis==${VERSION}`])
  for (const [name, tokenFor] of Object.entries(CALLERS)) {
    if (values.caller === undefined || values.caller.includes(name)) await probeAs(name, tokenFor)
  }
} finally {
  await globalTeardown()
  await rm(folder, { recursive: true, force: true })
}

async function probeAs(caller: string, tokenFor: (world: World, tenant: Tenant) => Promise<string>): Promise<void> {
  const world = await createWorld()
  // Advancing a test clock waits for this clock.
  world.clock.tick(100)
  const tenant = await makeTenant(world)
  const token = await tokenFor(world, tenant)
  const { http } = world.app
  await http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = http.server.address() as AddressInfo
  const config = join(folder, `${caller}.toml`)
  await writeFile(config, configurationOf(tenant.ids))
  try {
    await run(
      join(folder, 'venv/bin/schemathesis'),
      [
        ...['--config-file', config, 'run', `http://127.0.0.1:${port}/openapi.json`],
        ...['--url', `http://127.0.0.1:${port}`, '--header', `Authorization: Bearer ${token}`],
        ...[
          '--max-examples',
          values.examples,
          '--seed',
          values.seed,
          '--continue-on-failure',
          '--no-color',
          '--output-truncate',
          'false',
        ],
      ],
      { ...MANY_BYTES, cwd: folder, env: { ...process.env, SCHEMATHESIS_HOOKS: 'instants' } },
    )
    process.stdout.write(`ok      ${caller}\n`)
  } catch (error) {
    process.exitCode = 1
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    process.stdout.write(`FAILED  ${caller}\n${stdout}${stderr}\n`)
  } finally {
    await world.close()
  }
}

/** The ids of existing things, so that requests get past 404. */
function configurationOf(ids: Readonly<Record<string, string>>): string {
  const named = ['package', ...Object.keys(ids).filter(name => /Id$|^kid$/.test(name))]
  const exceptions = RULES_BEYOND_SCHEMA.map(
    name => `
[[operations]]
include-operation-id = "${name}"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "403", "404", "409", "429", "5xx"]
`,
  )
  return `[parameters]\n${named.map(name => `"path.${name}" = ${JSON.stringify(ids[name])}\n`).join('')}${exceptions.join('')}`
}
