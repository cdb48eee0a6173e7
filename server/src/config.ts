import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DEFAULT_QUOTAS } from './core/quota.ts'
import { parseNetworks } from './platform/egress/addresses.ts'
import { parseMasterKey } from './platform/vault/vault.ts'
import {
  bearerKey,
  boolean,
  integer,
  keyOf,
  LOG_LEVELS,
  mailFrom,
  oneOf,
  operatorKey,
  percent,
  postgresUrl,
  ROLES,
  ratio,
  SHORTEST_KEY,
  smtpUrl,
  url,
} from './setting-values.ts'

const MIB = 1_024 * 1_024

interface Setting<T> {
  readonly variable: string
  /** The default, as docs/configuration.md shows it. */
  readonly byDefault: string
  readonly meaning: string
  /** Undefined: not set. Throws an Error that describes a valid value. */
  read(text: string | undefined): T
}

/** Every setting, in the order of docs/configuration.md. A test compares the two. */
export const SETTINGS = {
  role: setting(
    'ROLE',
    'all',
    '`api` answers requests, `worker` charges, delivers and runs the other background jobs, `all` does both. The flag `--role` takes precedence.',
    text => oneOf(ROLES, text ?? 'all'),
  ),
  port: setting('PORT', '8080', 'Port to listen on. 0 chooses a free port.', text =>
    integer(text ?? '8080', 0, 65_535),
  ),
  host: setting('HOST', '127.0.0.1', 'Address to listen on.', text => text ?? '127.0.0.1'),
  baseUrl: setting(
    'BASE_URL',
    'http://HOST:PORT',
    'The `{base_url}` of the interface, and the audience of assertions.',
    url,
  ),
  billingUrl: setting('BILLING_URL', 'BASE_URL', 'The `{billing_url}` of links.', url),
  databaseUrl: setting(
    'DATABASE_URL',
    'embedded PostgreSQL in DATA_DIR',
    'A PostgreSQL server, version 15 or newer: `postgres://user:password@host:5432/name`.',
    postgresUrl,
  ),
  databaseDirectUrl: setting(
    'DATABASE_DIRECT_URL',
    'DATABASE_URL',
    'The same database without a pooler. Required when DATABASE_URL goes through PgBouncer in transaction mode: migrations and `LISTEN` need a session. Statements over DATABASE_URL then do not depend on a session.',
    postgresUrl,
  ),
  databaseTimeout: setting(
    'DATABASE_TIMEOUT',
    '20',
    'Seconds until a statement times out. Requests that wait for the statement are answered 503.',
    text => integer(text ?? '20', 1, 3_600),
  ),
  dataDir: setting('DATA_DIR', './data', 'Folder of the embedded database and the master key.', text =>
    resolve(text ?? 'data'),
  ),
  operatorKey: setting(
    'OPERATOR_KEY',
    'created and printed at the first start',
    `Bearer key of the operator, ${SHORTEST_KEY} characters or more.`,
    operatorKey,
  ),
  metricsToken: setting(
    'METRICS_TOKEN',
    'the operator key alone',
    `A bearer token for \`/metrics\`, ${SHORTEST_KEY} characters or more. The operator key is also accepted.`,
    bearerKey,
  ),
  masterKey: setting(
    'MASTER_KEY',
    'created in DATA_DIR',
    'Encrypts secrets at rest: 32 bytes as 64 hex digits or as base64. Required with DATABASE_URL.',
    text => (text === undefined ? undefined : parseMasterKey(text)),
  ),
  auditMonths: setting(
    'AUDIT_MONTHS',
    'forever',
    'Retention of audit entries, in whole months after the month of the entry.',
    text => (text === undefined ? undefined : integer(text, 1, 1_200)),
  ),
  allowedNetworks: setting(
    'ALLOWED_NETWORKS',
    'loopback in a development installation, else none',
    'Private networks (CIDR, comma separated) that webhooks may reach. A development installation listens on loopback with the embedded database.',
    text => (text === undefined ? undefined : parseNetworks(text)),
  ),
  requireHttps: setting('REQUIRE_HTTPS', 'false', 'Reject plain http in delivery URLs and in callback URLs.', text =>
    boolean(text),
  ),
  operatorShare: setting(
    'OPERATOR_SHARE',
    '20',
    'The operator’s share of each charge, in percent with at most two decimals. A change applies to later bookings.',
    text => percent(text ?? '20'),
  ),
  catchUpHours: setting(
    'CATCH_UP_HOURS',
    '4',
    'Hours that missed charges wait for the operator’s decision after billing stood still for more than a day. 0: they do not wait.',
    text => integer(text ?? '4', 0, 720),
  ),
  developersPayFees: setting(
    'DEVELOPERS_PAY_FEES',
    'false',
    'Developers bear the gateway’s fees of charges. `false`: the operator bears them. A change applies to later bookings.',
    text => boolean(text),
  ),
  endDisputed: setting('END_DISPUTED', 'true', 'A lost dispute ends the subscription.', text =>
    boolean(text ?? 'true'),
  ),
  ratePerApp: setting(
    'RATE_PER_APP',
    '100',
    'Maximum requests per second of one app. A burst may have twice as many.',
    text => integer(text ?? '100', 1, 1_000_000),
  ),
  ratePerAddress: setting(
    'RATE_PER_ADDRESS',
    '20',
    'Maximum POST requests per second without a token from one address, and the same number with a wrong token. A burst may have twice as many. An IPv6 /64 counts as one address, and its /48 as four.',
    text => integer(text ?? '20', 1, 1_000_000),
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    'none',
    'Proxies (addresses or CIDR, comma separated) whose `X-Forwarded-For` names the caller. Required behind a proxy: otherwise all callers share one address and one rate.',
    text => parseNetworks(text ?? ''),
  ),
  maxPackage: setting(
    'MAX_PACKAGE',
    '100',
    'Largest package of a release, in MiB.',
    text => integer(text ?? '100', 1, 1_024) * MIB,
  ),
  maxApps: quota('MAX_APPS', DEFAULT_QUOTAS.apps, 'Maximum number of apps of an organization.'),
  maxReleases: quota('MAX_RELEASES', DEFAULT_QUOTAS.releases, 'Maximum number of releases of an app, in all states.'),
  maxPackagesTotal: quota(
    'MAX_PACKAGES_TOTAL',
    DEFAULT_QUOTAS.packageBytes / MIB,
    'Maximum size in MiB of all packages of an organization. Packages of rejected releases are deleted.',
    MIB,
  ),
  maxTestMerchants: quota(
    'MAX_TEST_MERCHANTS',
    DEFAULT_QUOTAS.testMerchants,
    'Maximum number of test merchants of an organization.',
  ),
  maxTestClockYears: quota('MAX_TEST_CLOCK_YEARS', DEFAULT_QUOTAS.testClockYears, 'Years a test clock may be ahead.'),
  logLevel: setting('LOG_LEVEL', 'info', `One of ${LOG_LEVELS.join(', ')}.`, text => oneOf(LOG_LEVELS, text ?? 'info')),
  stripeSecretKey: setting(
    'STRIPE_SECRET_KEY',
    'no Stripe',
    'Accepts payments through Stripe: `sk_…` or `rk_…`.',
    text => keyOf(text, /^[sr]k_(test|live)_/, 'sk_test_…, sk_live_…, rk_test_… or rk_live_…'),
  ),
  stripeWebhookSecret: setting(
    'STRIPE_WEBHOOK_SECRET',
    'events are rejected',
    'Signing secret of Stripe’s events at `/gateways/stripe/events`: `whsec_…`.',
    text => keyOf(text, /^whsec_/, 'whsec_…'),
  ),
  stripePublishableKey: setting(
    'STRIPE_PUBLISHABLE_KEY',
    'none',
    'Publishable key for Stripe’s card form: `pk_…`.',
    text => keyOf(text, /^pk_(test|live)_/, 'pk_test_… or pk_live_…'),
  ),
  stripeApiBase: setting('STRIPE_API_BASE', 'Stripe', 'A server in place of Stripe’s, for tests.', url),
  payouts: setting(
    'PAYOUTS',
    'manual',
    '`manual`: the operator pays developers and books each payout. `stripe`: transfers by Stripe Connect. Requires STRIPE_SECRET_KEY.',
    text => oneOf(['manual', 'stripe'], text ?? 'manual'),
  ),
  tax: setting(
    'TAX',
    'table',
    '`table`: tax rates by country. `stripe`: for the countries that the operator chooses, Stripe Tax returns the rate of the merchant’s address. Requires STRIPE_SECRET_KEY.',
    text => oneOf(['table', 'stripe'], text ?? 'table'),
  ),
  taxCode: setting(
    'TAX_CODE',
    'the tax code in the tax settings of the Stripe account',
    'Stripe’s product tax code of the apps: `txcd_10103001` is software as a service for businesses.',
    text => keyOf(text, /^txcd_\d{8}$/, 'txcd_ and eight digits'),
  ),
  viesUrl: setting(
    'VIES_URL',
    'tax ids are checked for form only',
    'Verifies the tax ids of businesses in the European Union with VIES: `https://ec.europa.eu/taxation_customs/vies/rest-api`.',
    url,
  ),
  smtpUrl: setting(
    'SMTP_URL',
    'the log shows mail',
    'The relay for mail: `smtp://user:password@host:587`, or `smtps://…:465`. Without a relay, an installation on a loopback address with the embedded PostgreSQL shows mail in the log, and any other installation sends no mail.',
    smtpUrl,
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'none',
    'Sender of mail: `Tillhook <no-reply@example.com>`. Required with SMTP_URL.',
    mailFrom,
  ),
  sandboxDelayMs: setting(
    'SANDBOX_DELAY_MS',
    '0',
    'Extra milliseconds of each call to the sandbox gateway, to simulate a network.',
    text => integer(text ?? '0', 0, 60_000),
  ),
  apiLog: setting('API_LOG', 'true', 'Keep the requests of each app for 7 days, for its developer.', text =>
    boolean(text ?? 'true'),
  ),
  offlineHours: setting(
    'OFFLINE_HOURS',
    '72',
    'Hours for which a terminal without a connection may answer apps from its signed list of subscriptions.',
    text => integer(text ?? '72', 1, 720),
  ),
  join: setting(
    'JOIN',
    'only in a development installation',
    'Whether developers can sign up by themselves at `/join`. Otherwise the operator invites them.',
    text => (text === undefined ? undefined : boolean(text)),
  ),
  simulator: setting(
    'SIMULATOR',
    'only without Stripe',
    'Serve `/simulator`, a terminal to try purchases on. Its frame may show the purchase screens.',
    text => (text === undefined ? undefined : boolean(text)),
  ),
  otlpEndpoint: standard(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'no traces',
    'Receiver of OpenTelemetry traces, as OTLP over HTTP.',
    url,
  ),
  otlpTracesEndpoint: standard(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'the endpoint above with /v1/traces',
    'The same, as a complete URL.',
    url,
  ),
  otelDisabled: standard('OTEL_SDK_DISABLED', 'false', 'Turns traces off.', text => boolean(text?.toLowerCase())),
  otelSamplerArg: standard('OTEL_TRACES_SAMPLER_ARG', '1', 'Share of the traces that is sent, from 0 to 1.', text =>
    ratio(text ?? '1'),
  ),
} as const satisfies Record<string, Setting<unknown>>

type Settings = typeof SETTINGS
type Value<Key extends keyof Settings> = ReturnType<Settings[Key]['read']>
type Optional<Key extends keyof Settings> = undefined extends Value<Key> ? Key : never

/** The settings as they are read once at the start. A setting without a value and without a default is absent. */
export type Config = { readonly [Key in keyof Settings as Exclude<Key, Optional<Key>>]: Value<Key> } & {
  readonly [Key in keyof Settings as Optional<Key>]?: Exclude<Value<Key>, undefined>
}

const PREFIX = 'TILLHOOK_'

/** Variables of the test runner. */
const TEST_PREFIX = `${PREFIX}TEST_`

/** Variables of the command line, which may be set in the same shell (docs/guides/cli.md). */
const OF_CLIENTS = new Set(
  ['URL', 'KEY', 'APP', 'PRIVATE_KEY', 'WEBHOOK_SECRET', 'CONFIG'].map(name => `${PREFIX}${name}`),
)

/** The configuration, or a sentence for each of its problems. */
export function readConfig(
  given: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): Config | { problems: string[] } {
  const problems: string[] = []
  const environment = { ...given, ...flagsOf(args, problems) }
  const values: Record<string, unknown> = {}
  for (const [key, { variable, read }] of Object.entries(SETTINGS)) {
    const text = environment[variable]
    try {
      const value = read(text === '' ? undefined : text)
      if (value !== undefined) values[key] = value
    } catch (error) {
      problems.push(`${variable}: ${messageOf(error)}`)
    }
  }
  const known = new Set(Object.values(SETTINGS).map(({ variable }) => variable))
  for (const name of Object.keys(environment)) {
    if (name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX) && !OF_CLIENTS.has(name) && !known.has(name)) {
      problems.push(`${name}: there is no such setting. The settings are ${[...known].join(', ')}.`)
    }
  }
  if (values.databaseUrl !== undefined && values.masterKey === undefined && !environment[SETTINGS.masterKey.variable]) {
    problems.push(
      `${SETTINGS.masterKey.variable}: required with ${SETTINGS.databaseUrl.variable}, so that a copy of the database ` +
        'alone reveals no secret. Create a key with: openssl rand -hex 32',
    )
  }
  if (values.databaseDirectUrl !== undefined && values.databaseUrl === undefined) {
    const { databaseUrl, databaseDirectUrl } = SETTINGS
    problems.push(
      `${databaseUrl.variable}: required with ${databaseDirectUrl.variable}, which bypasses the pooler of that database.`,
    )
  }
  if (values.payouts === 'stripe' && values.stripeSecretKey === undefined) {
    problems.push(`${SETTINGS.stripeSecretKey.variable}: required with ${SETTINGS.payouts.variable}=stripe.`)
  }
  if (values.tax === 'stripe' && values.stripeSecretKey === undefined) {
    problems.push(`${SETTINGS.stripeSecretKey.variable}: required with ${SETTINGS.tax.variable}=stripe.`)
  }
  if (values.smtpUrl !== undefined && values.mailFrom === undefined && !environment[SETTINGS.mailFrom.variable]) {
    problems.push(`${SETTINGS.mailFrom.variable}: required with ${SETTINGS.smtpUrl.variable}.`)
  }
  if (values.role === 'api' || values.role === 'worker') {
    for (const key of ['databaseUrl', 'baseUrl'] as const) {
      const { variable } = SETTINGS[key]
      if (values[key] !== undefined || environment[variable]) continue
      problems.push(
        `${variable}: required with the role ${values.role}, because all processes must have the same value.`,
      )
    }
  }
  return problems.length > 0 ? { problems } : (values as unknown as Config)
}

/** Settings whose values a page may show. Every other value can hold a secret, and the page only says that the setting is set. */
const SHOWN: readonly (keyof Settings)[] = [
  ...(['role', 'port', 'host', 'baseUrl', 'billingUrl', 'databaseTimeout', 'dataDir', 'auditMonths'] as const),
  ...(['allowedNetworks', 'requireHttps', 'operatorShare', 'catchUpHours', 'endDisputed', 'ratePerApp'] as const),
  ...(['ratePerAddress', 'trustedProxies', 'maxPackage', 'maxApps', 'maxReleases', 'maxPackagesTotal'] as const),
  ...(['maxTestMerchants', 'maxTestClockYears', 'logLevel', 'mailFrom', 'sandboxDelayMs', 'apiLog'] as const),
  ...(['offlineHours', 'join', 'simulator', 'tax', 'taxCode'] as const),
]

/** Every setting with its value in the environment, for the page about the system. A value that can hold a secret is "Set". */
export function settingsInForce(given: Readonly<Record<string, string | undefined>>, args: readonly string[] = []) {
  const environment = { ...given, ...flagsOf(args, []) }
  return Object.entries(SETTINGS).map(([key, { variable, byDefault, meaning }]) => {
    const text = environment[variable] || undefined
    const value = SHOWN.some(shown => shown === key) ? text : text && 'Set'
    return { variable, byDefault, meaning, ...(value !== undefined && { value }) }
  })
}

/** The flag --role as its variable. */
function flagsOf(args: readonly string[], problems: string[]): Record<string, string> {
  try {
    const { values } = parseArgs({ args: [...args], options: { role: { type: 'string' } } })
    return values.role === undefined ? {} : { [SETTINGS.role.variable]: values.role }
  } catch (error) {
    problems.push(`${messageOf(error)}. The only flag is --role.`)
    return {}
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A variable that the OpenTelemetry specification names. */
function standard<T>(variable: string, byDefault: string, meaning: string, read: Setting<T>['read']): Setting<T> {
  return { variable, byDefault, meaning, read }
}

function setting<T>(name: string, byDefault: string, meaning: string, read: Setting<T>['read']): Setting<T> {
  return { variable: `TILLHOOK_${name}`, byDefault, meaning, read }
}

function quota(name: string, byDefault: number, meaning: string, unit = 1): Setting<number> {
  const read = (text: string | undefined) => integer(text ?? String(byDefault), 1, 100_000_000) * unit
  return setting(name, String(byDefault), meaning, read)
}

/** The URL of a service that listens on `host`. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`
}
