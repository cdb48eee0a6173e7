import { Type } from 'typebox'
import { PUBLISHED_BEFORE_USE_MS, rotateSigningKey } from '../../access/tokens/rotate-signing-key.ts'
import { findSigningKeys, type StoredSigningKey } from '../../access/tokens/signing-key-store.ts'
import { assert } from '../../core/assert.ts'
import type { Principal } from '../../core/principal.ts'
import type { CurrentBrand } from '../../platform/brand/current.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import type { WebSession } from '../../platform/http/ports.ts'
import { findMailBacklog } from '../../platform/mail/outbox.ts'
import { findTestMail, sendTestMail, type TestMail } from '../../platform/mail/test-mail.ts'
import { badge, facts, notice, type Tone, toast } from '../../platform/web/components/content.ts'
import { confirmation, press } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { framed, opsPage } from './ops-page.ts'

/** Filled by app.ts: the pages know neither the runtime nor the configuration. */
export interface SystemReadings {
  readonly version: string
  readonly role: string
  /** Host and process id of the process that answers. */
  readonly process: string
  readonly startedAt: Date
  readonly mail: 'relay' | 'log' | 'none'
  /** Empty in a process that was not started by main.ts. */
  readonly settings: readonly SettingInForce[]
  /** The latest runs of this process's background jobs. */
  jobs(): readonly { readonly job: string; readonly endedAt: Date; readonly isFailed: boolean }[]
  health(): Promise<SystemHealth>
}

interface SettingInForce {
  readonly variable: string
  /** Absent: the default. Never a secret. */
  readonly value?: string
  readonly byDefault: string
  readonly meaning: string
}

interface SystemHealth {
  readonly quarantined: number
  readonly chargesUnknown: number
  readonly subscriptionsDue: number
  readonly hooksFailing: number
  readonly breakersOpen: number
  readonly oldestFirstAttemptSeconds: number
}

/** The version, the settings in force, the background jobs and the mail queue of this installation. */
export function systemPage(system: SystemReadings): AnyPage {
  return opsPage({
    ...{ method: 'GET', path: OPERATOR_PATHS.system, name: 'showSystem', operation: 'operations.read' },
    query: Type.Object({ done: Type.Optional(Type.Literal('rotated')) }),
    async handle(call, desk) {
      const { waiting, oldestAt, lastError } = await findMailBacklog(call.db.sql)
      const userId = userIdOf(call.principal)
      const sent = userId === undefined ? null : await findTestMail(call.db.sql, userId)
      const jobs = system.jobs()
      const main = html`${pageHead({ title: 'System' })}
${call.query.done && toast('Signing key rotated', 'The next key is published now and signs in ten minutes.')}
<div class="section">${facts([
        ['Version', system.version],
        ['This page comes from', html`<code>${system.process}</code>, role ${system.role}`],
        ['Started', moment(system.startedAt)],
        ['Brand', html`<a href="${OPERATOR_PATHS.brand}">Name, logo and colours</a>`],
        [
          'Signing keys',
          desk.may('signingKeys.rotate') && html`<a href="${SIGNING_KEYS_PATH}">Rotate the signing key</a>`,
        ],
      ])}</div>
<h2>Health</h2>
${healthLights(await system.health())}
<h2 id="mail">Mail</h2>
<div class="section">${facts([
        ['Sending', MAIL_WORDS[system.mail]],
        [
          'Queued mails',
          oldestAt === undefined
            ? '0'
            : html`${String(waiting)}, the oldest since ${moment(oldestAt)}${lastError && html`; last error: <code>${lastError}</code>`}`,
        ],
        ['Templates', html`<a href="/mail-preview">Preview each mail</a>`],
      ])}</div>
${desk.may('mails.test') && call.session && testMailSection(sent, call.session, call.csrf)}
${
  jobs.length === 0
    ? html`<h2>Background jobs</h2><p>No job has run in this process. With several processes, the workers run the jobs, and the lights above count the work that waits for all of them.</p>`
    : jobTable(system.process, jobs)
}
${system.settings.length > 0 && settingTables(system.settings)}`
      const waits = isBeingSent(sent) ? { refreshSeconds: REFRESH_SECONDS } : {}
      return framed(call, { title: 'System', part: 'system', main, ...waits })
    },
  })
}

/** The queue sends each second. */
const REFRESH_SECONDS = 2

const MAIL_WORDS = {
  relay: 'Through the relay of TILLHOOK_SMTP_URL',
  log: 'Only to the log of this development installation',
  none: 'Off: set TILLHOOK_SMTP_URL',
} as const

/** More seconds mean that the senders are behind. */
const LATE_SECONDS = 60

const MONEY = OPERATOR_PATHS.money

/** A light for each part of the service that can need an operator. */
export function healthLights(health: SystemHealth): Html {
  const { oldestFirstAttemptSeconds: age } = health
  return html`<ul class="lights">${[
    light('Database', 'Up', 'good'),
    light('Quarantined rows', count(health.quarantined), health.quarantined > 0 ? 'bad' : 'good', MONEY),
    light(
      'Charges with unknown outcome',
      count(health.chargesUnknown),
      health.chargesUnknown > 0 ? 'warn' : 'good',
      `${MONEY}?state=UNKNOWN`,
    ),
    light('Subscriptions due', count(health.subscriptionsDue), 'plain'),
    light('Oldest queued webhook', `${Math.round(age)} s`, age > LATE_SECONDS ? 'warn' : 'good'),
    light(
      'Failing endpoints',
      count(health.hooksFailing),
      health.hooksFailing > 0 ? 'warn' : 'good',
      OPERATOR_PATHS.endpoints,
    ),
    light(
      'Open breakers',
      count(health.breakersOpen),
      health.breakersOpen > 0 ? 'warn' : 'good',
      OPERATOR_PATHS.endpoints,
    ),
  ]}</ul>`
}

/** `href`: the page that lists what the light counts. */
function light(name: string, value: string, tone: Tone, href?: string): Html {
  return html`<li>${href === undefined ? html`<span>${name}</span>` : html`<a href="${href}">${name}</a>`}${badge(value, tone)}</li>`
}

const count = (value: number) => value.toLocaleString('en')

type Job = ReturnType<SystemReadings['jobs']>[number]

/** Folded unless a job failed. */
function jobTable(process: string, jobs: readonly Job[]): Html {
  const failed = jobs.filter(({ isFailed }) => isFailed).length
  const columns = [
    { name: 'Job', cell: ({ job }: Job) => job },
    { name: 'Last run', cell: ({ endedAt }: Job) => moment(endedAt) },
    {
      name: 'Result',
      cell: ({ isFailed }: Job) => (isFailed ? badge('Failed', 'bad') : badge('Done', 'good')),
    },
  ]
  const summary = html`${String(jobs.length)} jobs of <code>${process}</code>, ${failed === 0 ? 'none failed' : `${failed} failed`}`
  return html`<h2>Background jobs</h2>
<details ${{ class: 'section', open: failed > 0 }}><summary>${summary}</summary>
${table({ caption: 'Latest runs', rows: jobs, columns })}</details>`
}

/** The settings with a value first. The defaults are folded: the whole list is ten screens on a phone. */
function settingTables(settings: readonly SettingInForce[]): Html {
  const [set, defaults] = [
    settings.filter(({ value }) => value !== undefined),
    settings.filter(({ value }) => value === undefined),
  ]
  return html`${settingTable('Settings in force', set)}
<details class="section"><summary>${String(defaults.length)} more settings with their defaults</summary>
${settingTable('Defaults in force', defaults)}</details>`
}

function settingTable(caption: string, settings: readonly SettingInForce[]): Html {
  return table<SettingInForce>({
    caption,
    rows: settings,
    columns: [
      { name: 'Variable', cell: ({ variable }) => html`<code class="whole">${variable}</code>` },
      {
        name: 'Value',
        cell: ({ value, byDefault }) =>
          value === undefined
            ? html`<span class="fine">Default: ${marked(byDefault)}</span>`
            : html`<code>${value}</code>`,
      },
      { name: 'Meaning', cell: ({ meaning }) => html`<span class="fine">${marked(meaning)}</span>` },
    ],
  })
}

/** Text between backticks is code, as in docs/configuration.md. */
function marked(text: string): Html {
  return html`${text.split('`').map((piece, at) => (at % 2 === 0 ? piece : html`<code>${piece}</code>`))}`
}

const PATH = `${OPERATOR_PATHS.system}/test-mail`

/** Sends a mail to the person who presses the button. */
export function testMailPage(
  ports: Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'> & { readonly currentBrand: CurrentBrand },
): AnyPage {
  return opsPage({
    ...{ method: 'POST', path: PATH, name: 'sendTestMailOnPage', operation: 'mails.test' },
    audited: false,
    async handle(call) {
      const userId = userIdOf(call.principal)
      assert(userId !== undefined && call.session, 'a page of the operator has a person')
      const { name, email } = call.session.person
      const { name: brandName } = await ports.currentBrand.refresh()
      const url = `${ports.settings.baseUrl}${OPERATOR_PATHS.system}`
      await sendTestMail({ ...ports, db: call.db }, { userId, recipient: email, name, brandName, url })
      return redirect(`${OPERATOR_PATHS.system}#mail`)
    },
  })
}

function userIdOf(principal: Principal): string | undefined {
  return principal.kind === 'operator' ? principal.userId : undefined
}

/** The first attempt is under way. */
const isBeingSent = (sent: TestMail | null) => sent?.state === 'WAITING' && sent.answeredAt === undefined

/** The result of the person's latest test mail, and the button for another. */
function testMailSection(sent: TestMail | null, { person }: WebSession, csrf: string): Html {
  return html`<div class="section">${sent && resultOf(sent)}
${press(PATH, csrf, 'Send a test mail')}
<p class="fine">To ${person.email}, through the same queue as every other mail.</p></div>`
}

function resultOf(sent: TestMail): Html {
  const { recipient, state, attempts, recordedAt, answer, answeredAt } = sent
  const words = answer && html`<br><span class="fine">Answer of the mail server: <code>${answer}</code></span>`
  switch (state) {
    case 'SENT':
      return notice('good', 'Test mail sent', html`To ${recipient}, ${answeredAt && moment(answeredAt)}.${words}`)
    case 'FAILED':
      return notice(
        'bad',
        'The test mail failed',
        html`No attempt to reach ${recipient} succeeded within an hour.${words}`,
      )
    case 'WAITING':
      return answeredAt === undefined
        ? notice(
            'warn',
            'The test mail waits',
            html`For ${recipient}, recorded on ${moment(recordedAt)}. The page shows the answer of the mail server as soon as it comes.`,
          )
        : notice(
            'bad',
            'The test mail could not be sent',
            html`Attempt ${String(attempts)} to ${recipient} failed on ${moment(answeredAt)}. More attempts follow for an hour.${words}`,
          )
  }
}

const SIGNING_KEYS_PATH = `${OPERATOR_PATHS.system}/signing-keys`

/** The keys that sign access tokens, and their rotation. Decisions 2, "signing keys rotate, two overlap". */
export function signingKeyPages(ports: Pick<Ports, 'db' | 'clock' | 'vault'>): AnyPage[] {
  const definition = { path: SIGNING_KEYS_PATH, operation: 'signingKeys.rotate' } as const
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeRotatingSigningKey' },
      async handle(call) {
        const now = ports.clock.now()
        const keys = await findSigningKeys(call.db.sql, now)
        const minutes = PUBLISHED_BEFORE_USE_MS / 60_000
        const main = confirmation(call, {
          title: 'Rotate the signing key?',
          words: html`<ul>
<li>The next key is published at <code>/.well-known/jwks.json</code> at once and signs in ${String(minutes)} minutes.</li>
<li>Access tokens of the previous key stay valid until they expire.</li>
<li>A program that pins <code>/.well-known/public-key.pem</code> must load it again.</li>
</ul>
${keys.length > 0 && keyTable(keys)}`,
          verb: 'Rotate the signing key',
          backHref: OPERATOR_PATHS.system,
        })
        return framed(call, { title: 'Rotate the signing key', part: 'system', main, width: 'narrow' })
      },
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'rotateSigningKeyOnPage' },
      async handle(call) {
        // Pressed twice: the rotation in progress stays.
        await rotateSigningKey({ ...ports, db: call.db })
        return redirect(addressOf(OPERATOR_PATHS.system, { done: 'rotated' }))
      },
    }),
  ]
}

/** Oldest first. The oldest key that is not retired signs. */
function keyTable(keys: readonly StoredSigningKey[]) {
  return table<StoredSigningKey>({
    caption: 'Current keys',
    rows: keys,
    columns: [
      { name: 'Key', cell: ({ kid }) => html`<code>${kid}</code>` },
      { name: 'Created', cell: ({ createdAt }) => moment(createdAt) },
      { name: 'State', cell: key => (key === keys[0] ? badge('Signs', 'good') : badge('Next', 'plain')) },
    ],
  })
}
