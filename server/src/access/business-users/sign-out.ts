import type { TerminalUser } from '../../core/principal.ts'
import type { Ports } from '../../ports.ts'
import { revokeGrantsOfUser } from '../tokens/device-grants.ts'
import type { Revocations } from '../tokens/revocations.ts'
import { endTerminalSession } from './session-store.ts'

/** Ends the session and the tokens issued to apps on that terminal for the user: at once in this process, within a second in others. */
export function signOutAtTerminal(
  { db, clock, revocations }: Pick<Ports, 'db' | 'clock'> & { readonly revocations: Revocations },
  { user, deviceId }: { readonly user: TerminalUser; readonly deviceId: string },
): Promise<void> {
  const now = clock.now()
  return db.transaction(async tx => {
    await endTerminalSession(tx.sql, user.sessionId, now)
    const ended = await revokeGrantsOfUser(tx.sql, user.businessUserId, now, deviceId)
    tx.afterCommit(() => revocations.add(ended, now))
  })
}
