import { assert } from '../../core/assert.ts'
import type { Release, ReleaseMessage } from '../../core/release.ts'
import type { Tx } from '../../platform/db/db.ts'
import { letter } from '../../platform/mail/letter.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import type { Ports } from '../../ports.ts'
import { findApp } from '../apps/store.ts'
import { findOrganization } from '../organizations/store.ts'

/** A developer may read the mail days later. */
const KEPT_MS = 7 * 86_400_000

/** Mails the organization that the operator approved or rejected a release, in the transaction of the decision. */
export async function mailDecision(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'>,
  release: Pick<Release, 'releaseId' | 'appId' | 'version' | 'status' | 'reason'>,
): Promise<void> {
  if (release.status !== 'APPROVED' && release.status !== 'REJECTED') return
  const url = `${ports.settings.baseUrl}/dev/apps/${release.appId}`
  const mail = decisionMail({ ...release, ...(await readerOf(tx, release)), url })
  await recordMail({ ...ports, db: tx }, mail, { keptMs: KEPT_MS })
}

/** Mails the organization a question about a release, in the transaction of the question. */
export async function mailQuestion(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'>,
  { releaseId, appId, version }: Pick<Release, 'releaseId' | 'appId' | 'version'>,
  { messageId, text }: Pick<ReleaseMessage, 'messageId' | 'text'>,
): Promise<void> {
  const url = `${ports.settings.baseUrl}/dev/apps/${appId}/releases/${releaseId}`
  const mail = questionMail({ messageId, version, text, ...(await readerOf(tx, { appId })), url })
  await recordMail({ ...ports, db: tx }, mail, { keptMs: KEPT_MS })
}

async function readerOf(tx: Tx, { appId }: Pick<Release, 'appId'>): Promise<Pick<DecisionFacts, 'to' | 'appName'>> {
  const app = await findApp(tx.sql, appId)
  const organization = app && (await findOrganization(tx.sql, app.organizationId))
  assert(organization, 'an app with releases and its organization are never deleted')
  return { to: organization.email, appName: app.name }
}

interface DecisionFacts extends Pick<Release, 'releaseId' | 'version' | 'status' | 'reason'> {
  readonly to: string
  readonly appName: string
  readonly url: string
}

export function decisionMail({ releaseId, version, status, reason = '', to, appName, url }: DecisionFacts): Message {
  const isApproved = status === 'APPROVED'
  return letter({
    ...{ id: `${releaseId}-${status}`, to, url, button: 'Open the app' },
    subject: `${appName} ${version} is ${isApproved ? 'approved' : 'rejected'}`,
    sentences: isApproved
      ? [`The operator approved version ${version} of ${appName}. Its plans are on sale.`]
      : [
          `The operator rejected version ${version} of ${appName}.`,
          `Reason: ${reason}`,
          'Change the release and send it again.',
        ],
  })
}

interface QuestionFacts extends Pick<DecisionFacts, 'version' | 'to' | 'appName' | 'url'> {
  readonly messageId: string
  readonly text: string
}

/** The mail as text and HTML. */
export function questionMail({ messageId, version, text, to, appName, url }: QuestionFacts): Message {
  return letter({
    ...{ id: messageId, to, url, button: 'Answer' },
    subject: `A question about ${appName} ${version}`,
    sentences: [
      `The operator reviews version ${version} of ${appName} and has a question.`,
      `Question: ${text}`,
      'The release stays in review.',
    ],
  })
}
