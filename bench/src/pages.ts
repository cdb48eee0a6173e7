import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { type Database, openDatabase } from '../../server/src/platform/db/db.ts'
import type { AloneOptions } from './alone.ts'
import { openInstallation } from './installation.ts'
import { monotonicMs } from './monotonic.ts'
import { fillPages, insertSession, PEOPLE, type PersonName } from './pages-fill.ts'
import { percentile } from './percentile.ts'
import { printCells } from './table.ts'

const TARGET = { p95Ms: 300, bytes: 60_000 }
/** How often each address is read, in turn with all others. */
const TIMES = 20
/** Addresses of one page with different filters and positions. */
const ADDRESSES_PER_PAGE = 20
/** The limit of one statement, such as the index of a day of the history. */
const FILL_WITHIN_MS = 3_600_000

const HOMES: Readonly<Record<PersonName, string>> = {
  developer: '/dev',
  operator: '/ops',
  merchant: '/my/subscriptions',
}
/** Pages that read no rows, and files. */
const IGNORED = /^\/($|simulator|docs|guides|design|assets|openapi)|\.(csv|pdf|zip|xml|json|html|pem)$|\/icon$/
const SEARCHED = 'shop 4'

/** A page by its path, with the addresses found for it. */
interface Measured {
  readonly person: PersonName
  readonly page: string
  readonly addresses: Map<string, { times: number[]; bytes: number }>
}

/**
 * The time and the compressed size of every page that links lead to, for a developer, an operator and a merchant. Time is measured from the
 * request to the last byte, with one request at a time and no background jobs.
 */
export async function measurePages({ print, report, signal: stopped, scale }: AloneOptions): Promise<void> {
  await using installation = await openInstallation({ signal: stopped, report })
  const { signal, databaseUrl } = installation
  await using service = await installation.start('api')
  await using stack = new AsyncDisposableStack()
  const db = openDatabase({ url: databaseUrl, maxConnections: 3, answerWithinMs: FILL_WITHIN_MS })
  stack.defer(() => db.close())
  report('Filling it …')
  await fillPages(db, { scale, signal, report })
  const measured = await measureAll({ baseUrl: service.baseUrl, db, signal, report })
  print([installation.machine, '', printPages(measured)].join('\n'))
}

interface World {
  readonly baseUrl: string
  readonly db: Database
  readonly signal: AbortSignal
  report(text: string): void
}

async function measureAll({ baseUrl, db, signal, report }: World): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const person of Object.keys(PEOPLE) as PersonName[]) {
    report(`The pages of the ${person} …`)
    const { token, membershipId } = await insertSession(db.sql, person)
    const browser = openBrowser(baseUrl, `tillhook=${token}; tillhook-mode=live.${membershipId}`)
    const pages = await findPages(browser, person, signal)
    for (let turn = 0; turn < TIMES; turn++) {
      for (const { addresses } of pages) {
        for (const [address, { times }] of addresses) {
          signal.throwIfAborted()
          times.push((await browser.read(address)).tookMs)
        }
      }
    }
    browser.close()
    measured.push(...pages)
  }
  return measured
}

/** Follows links. A search box is used with one word. */
async function findPages(browser: Browser, person: PersonName, signal: AbortSignal): Promise<Measured[]> {
  const found = new Map<string, Measured>()
  const seen = new Set<string>()
  const queue = [HOMES[person]]
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    signal.throwIfAborted()
    const page = pageOf(address)
    const kind = kindOf(address)
    const known = found.get(page)
    if (seen.has(kind) || IGNORED.test(page) || (known?.addresses.size ?? 0) >= ADDRESSES_PER_PAGE) continue
    seen.add(kind)
    const { status, headers, body, bytes } = await browser.read(address)
    const { location } = headers
    if (location !== undefined) queue.push(location)
    if (!String(headers['content-type']).startsWith('text/html') || location !== undefined) continue
    if (status !== 200) throw new Error(`${person}: ${address} answers ${status}.`)
    if (known === undefined) found.set(page, { person, page, addresses: new Map([[address, { times: [], bytes }]]) })
    else known.addresses.set(address, { times: [], bytes })
    for (const [, href = ''] of body.matchAll(/<a [^>]*?href="([^"#]+)/g)) {
      const link = new URL(href.replaceAll('&amp;', '&'), `http://bench.test${address}`)
      if (link.origin === 'http://bench.test') queue.push(link.pathname + link.search)
    }
    for (const [form, , action = ''] of body.matchAll(/<form ([^>]*?)action="([^"?]+)".*?<\/form>/gs)) {
      if (form.includes('name="q"')) queue.push(`${action}?q=${encodeURIComponent(SEARCHED)}`)
    }
  }
  return [...found.values()]
}

const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** The path of an address with placeholders for ids: the addresses of such rows count as one page. */
function pageOf(address: string): string {
  return (address.split('?')[0] ?? '').replaceAll(IDS, ':id').replaceAll(/\d{4}-\d\d/g, ':month')
}

/** An address with placeholders for the ids, instants and numbers in its query: one value of each is enough. */
function kindOf(address: string): string {
  const query = [...new URLSearchParams(address.split('?')[1] ?? '')]
  const named = query.map(([name, value]) => (/^[A-Za-z_]+$/.test(value) ? `${name}=${value}` : name))
  return [pageOf(address), ...named.sort()].join(' ')
}

function printPages(measured: readonly Measured[]): string {
  const rows = measured.map(({ person, page, addresses }) => {
    const byTime = [...addresses]
      .map(([address, { times, bytes }]) => ({
        address,
        p50Ms: percentile(times, 0.5),
        p95Ms: percentile(times, 0.95),
        bytes,
      }))
      .sort((a, b) => b.p95Ms - a.p95Ms)
    const [slowest] = byTime
    const { address = '', p50Ms = Number.NaN, p95Ms = Number.NaN } = slowest ?? {}
    return {
      person,
      page,
      addresses: addresses.size,
      address,
      p50Ms,
      p95Ms,
      bytes: Math.max(...byTime.map(one => one.bytes)),
    }
  })
  rows.sort((a, b) => b.p95Ms - a.p95Ms)
  const cells = rows.map(row => [
    `${row.person}: ${row.page}`,
    String(row.addresses),
    row.p50Ms.toFixed(0),
    row.p95Ms.toFixed(0),
    (row.bytes / 1_000).toFixed(1),
  ])
  const missed = rows.filter(({ p95Ms, bytes }) => p95Ms > TARGET.p95Ms || bytes > TARGET.bytes)
  return [
    'Each row shows its slowest address and its largest.',
    '',
    printCells([['page', 'addresses', 'p50 ms', 'p95 ms', 'kB'], ...cells]),
    '',
    `${rows.length - missed.length} of ${rows.length} pages take at most ${TARGET.p95Ms} ms and ${TARGET.bytes / 1_000} kB.`,
    ...missed.map(({ address, p95Ms, bytes }) => `- missed: ${address}: ${p95Ms.toFixed(0)} ms, ${bytes / 1_000} kB`),
  ].join('\n')
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The compressed size, as sent. */
  readonly bytes: number
  readonly tookMs: number
}

type Browser = ReturnType<typeof openBrowser>

function openBrowser(baseUrl: string, cookie: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate', 'accept-encoding': 'gzip' }
  return {
    close: () => agent.destroy(),
    async read(address: string): Promise<Answer> {
      const sentAtMs = monotonicMs()
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      get(new URL(address, baseUrl), { agent, headers }, response => {
        const parts: Buffer[] = []
        response.on('data', part => parts.push(part)).on('error', reject)
        response.on('end', () => {
          const sent = Buffer.concat(parts)
          const body = response.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
          const tookMs = monotonicMs() - sentAtMs
          const { statusCode: status = 0, headers: of } = response
          resolve({ status, headers: of, body: body.toString(), bytes: sent.length, tookMs })
        })
      }).on('error', reject)
      return promise
    },
  }
}
