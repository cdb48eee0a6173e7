import { listPeople, type PersonOfWorkspace } from '../../access/memberships/store.ts'
import { addDays } from '../../core/calendar.ts'
import { findBrand } from '../../platform/brand/store.ts'
import { type Letter, letter } from '../../platform/mail/letter.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import type { Ports } from '../../ports.ts'
import { findOperatorNeeds } from './operator-needs.ts'
import { deleteSummariesBefore, findOrganizationNeeds, insertSummary, type OrganizationNeeds } from './store.ts'

/** Before the working day begins in Europe, and in the evening before in America. */
const FROM_HOUR = 6
/** The next summary says what still waits. */
const KEPT_MS = 86_400_000
const REMEMBERED_DAYS = 7

interface Reader extends Pick<PersonOfWorkspace, 'userId' | 'email'> {
  readonly path: '/ops' | '/dev'
  readonly sentences: readonly string[]
}

/**
 * Records the summary of the day for each person for whom something waits. Returns the number of new mails. At most one mail per person and UTC
 * day, also after a crash or a second run. Source: decisions 6, Mails.
 */
export async function sendDailySummaries(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>,
): Promise<number> {
  const now = ports.clock.now()
  if (now.getUTCHours() < FROM_HOUR) return 0
  const day = dayOf(now)
  const brand = await findBrand(ports.db.sql)
  let sent = 0
  for (const reader of await findReaders(ports)) {
    const { userId, email: to, path, sentences } = reader
    const url = `${ports.settings.baseUrl}${path}`
    const mail = summaryMail({ id: `summary-${day}-${userId}`, to, sentences, url, brandName: brand.name })
    sent += await ports.db.transaction(async tx => {
      if (!(await insertSummary(tx.sql, { userId, day }))) return 0
      await recordMail({ ...ports, db: tx }, mail, { keptMs: KEPT_MS })
      return 1
    })
  }
  await deleteSummariesBefore(ports.db.sql, dayOf(addDays(now, -REMEMBERED_DAYS)))
  return sent
}

/** Each person once, with the needs of all their workspaces. The operator's needs come first. */
async function findReaders(ports: Pick<Ports, 'db' | 'clock'>): Promise<Reader[]> {
  const { sql } = ports.db
  const readers = new Map<string, Reader>()
  const add = (people: readonly PersonOfWorkspace[], path: Reader['path'], sentences: readonly string[]) => {
    for (const { userId, email, role, status } of people) {
      if (role === 'VIEWER' || status !== 'ACTIVE') continue
      const known = readers.get(userId)
      if (known) readers.set(userId, { ...known, sentences: [...known.sentences, ...sentences] })
      else readers.set(userId, { userId, email, path, sentences })
    }
  }
  const needs = await findOperatorNeeds(ports)
  if (needs.length > 0) {
    const sentences = needs.map(({ words }) => `${words}.`)
    add(await listPeople(sql, { kind: 'OPERATOR' }), '/ops', sentences)
  }
  for (const organization of await findOrganizationNeeds(sql)) {
    const { organizationId } = organization
    add(await listPeople(sql, { kind: 'DEVELOPER', organizationId }), '/dev', sentencesOf(organization))
  }
  return [...readers.values()]
}

function sentencesOf({ name, rejected, disabled }: Omit<OrganizationNeeds, 'organizationId'>): string[] {
  return [
    ...(rejected === 0
      ? []
      : [`${counted(rejected, 'rejected release')} of ${name}: change the release and send it again.`]),
    ...(disabled === 0
      ? []
      : [`${counted(disabled, 'disabled endpoint')} of ${name}: repair the endpoint and switch it on again.`]),
  ]
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`
}

/** The summary as text and HTML. */
export function summaryMail({
  brandName,
  ...mail
}: Omit<Letter, 'subject' | 'button'> & { readonly brandName: string }): Message {
  const { sentences } = mail
  const many = sentences.length === 1 ? '1 thing needs you' : `${sentences.length} things need you`
  return letter({ ...mail, subject: `${many} at ${brandName}`, button: `Open ${brandName}` })
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
