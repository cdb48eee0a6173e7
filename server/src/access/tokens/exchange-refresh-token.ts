import { findApp } from '../../catalog/apps/store.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { isDeviceWorking } from '../../merchants/businesses/device-store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { hashSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { type IssuePorts, issueAccessToken, type Tokens } from './issue.ts'
import { findGrantByRefreshToken, type Grant, recordGrantUse } from './store.ts'

/** Uses are recorded at most this often: an app that refreshes on each call costs reads and no writes. */
const USE_NOTED_EVERY_MS = 60 * 60 * 1000

/** Decisions 2: "valid for 90 idle days". The last use may be an hour younger than its record, so an hour is added. */
export const REFRESH_TOKEN_IDLE_MS = 90 * 24 * 60 * 60 * 1000 + USE_NOTED_EVERY_MS

/**
 * Issues a new access token for a refresh token and returns the same refresh token, which stays valid (decisions 2: "clients keep their first
 * one"). Rejects with INVALID_REFRESH_TOKEN a refresh token that is unknown, idle for 90 days or revoked, or that belongs to a disabled app or a
 * closed terminal.
 */
export async function exchangeRefreshToken(
  ports: IssuePorts & Pick<Ports, 'db'>,
  refreshToken: string,
): Promise<Tokens | Rejection> {
  const { db, clock } = ports
  const now = clock.now()
  const idleSince = new Date(now.getTime() - REFRESH_TOKEN_IDLE_MS)
  const grant = await findGrantByRefreshToken(db.sql, hashSecret(refreshToken), idleSince)
  if (grant === null) return invalid()
  const holder = await findHolder(db.sql, grant)
  if (holder === null) return invalid()
  await recordGrantUse(db.sql, grant.grantId, { now, before: new Date(now.getTime() - USE_NOTED_EVERY_MS) })
  return { accessToken: await issueAccessToken(ports, grant, holder.organizationId), refreshToken }
}

/** The enabled app or open terminal of a grant, else null. */
async function findHolder(sql: Sql, { appId, deviceId }: Grant): Promise<{ organizationId?: string } | null> {
  if (appId === undefined) return deviceId !== undefined && (await isDeviceWorking(sql, deviceId)) ? {} : null
  const app = await findApp(sql, appId)
  return app?.status === 'ACTIVE' ? app : null
}

function invalid(): Rejection {
  const message = 'refreshToken: is unknown, expired or revoked. Get a new one with an assertion.'
  return reject('INVALID_REFRESH_TOKEN', message, { oauthError: 'invalid_grant' })
}
