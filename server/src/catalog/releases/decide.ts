import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { checkMessage, type Decision, decideRelease, type ReleaseMessage } from '../../core/release.ts'
import type { Ports } from '../../ports.ts'
import { approvePlansOfRelease } from '../plans/store.ts'
import { mailDecision, mailQuestion } from './decision-mail.ts'
import { withPlans } from './get.ts'
import { findMessages, insertMessage } from './message-store.ts'
import { deletePackage } from './package-store.ts'
import type { ReleaseWithPlans } from './record.ts'
import { lockRelease, saveDecision } from './store.ts'

/**
 * Approves, rejects or withdraws a release once; a concurrent second decision is rejected. Approval makes all its plans readable at that instant.
 * The developer gets a mail in the same transaction. Decisions 4.
 */
export async function decide(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>,
  { appId, releaseId, decision }: { readonly appId: string; readonly releaseId: string; readonly decision: Decision },
): Promise<ReleaseWithPlans | Rejection> {
  return ports.db.transaction(async tx => {
    const { sql } = tx
    const submitted = await lockRelease(sql, { appId, releaseId })
    if (submitted === null) return reject('RELEASE_NOT_FOUND', 'This app has no release with this id.')
    const now = ports.clock.now()
    const release = decideRelease(submitted, decision, now)
    if (isRejection(release)) return release
    await saveDecision(sql, release)
    if (release.status === 'APPROVED') await approvePlansOfRelease(sql, { releaseId, now })
    // The package of a rejected or withdrawn release is of no further use: a corrected version comes as another release.
    else await deletePackage(sql, releaseId)
    await mailDecision(tx, ports, release)
    return withPlans(sql, release)
  })
}

interface NewMessage extends Pick<ReleaseMessage, 'messageId' | 'author' | 'text'> {
  readonly appId: string
  readonly releaseId: string
}

/**
 * Adds the operator's question or the developer's answer to a release, which stays in review. The developer gets the question by mail, in
 * the same transaction. A repeated messageId adds nothing. Rejects with RELEASE_NOT_FOUND, RELEASE_ALREADY_DECIDED and QUOTA_EXCEEDED.
 */
export async function writeMessage(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>,
  { appId, releaseId, ...message }: NewMessage,
): Promise<ReleaseWithPlans | Rejection> {
  return ports.db.transaction(async tx => {
    const { sql } = tx
    const release = await lockRelease(sql, { appId, releaseId })
    if (release === null) return reject('RELEASE_NOT_FOUND', 'This app has no release with this id.')
    const before = await findMessages(sql, releaseId)
    const rejection = checkMessage(release, before.length)
    if (isRejection(rejection)) return rejection
    const isNew = await insertMessage(sql, { ...message, releaseId, createdAt: ports.clock.now() })
    if (isNew && message.author === 'OPERATOR') await mailQuestion(tx, ports, release, message)
    return withPlans(sql, release)
  })
}
