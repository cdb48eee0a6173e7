import { assert } from '../../core/assert.ts'
import type { Release } from '../../core/release.ts'
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
  const app = await findApp(tx.sql, release.appId)
  const organization = app && (await findOrganization(tx.sql, app.organizationId))
  assert(organization, 'an app with releases and its organization are never deleted')
  const url = `${ports.settings.baseUrl}/dev/apps/${release.appId}`
  const mail = decisionMail({ ...release, to: organization.email, appName: app.name, url })
  await recordMail({ ...ports, db: tx }, mail, { keptMs: KEPT_MS })
}

interface DecisionFacts extends Pick<Release, 'releaseId' | 'version' | 'status' | 'reason'> {
  readonly to: string
  readonly appName: string
  readonly url: string
}

/** The mail as text and HTML. */
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
