import { CompactSign } from 'jose'
import type { SigningKeys } from '../../access/tokens/signing-keys.ts'
import type { App } from '../../core/app.ts'
import { toTimestamp } from '../../core/calendar.ts'
import { deviceUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'

/** An app keeps working this long without a connection. A setting changes it. */
const OFFLINE_HOURS = 72

/** Differs from the type of access tokens: neither document passes for the other. */
const TYPE = 'subscriptions+jwt'

/**
 * Signs a list of subscriptions for one terminal and one app. The terminal notices a stored list that was edited, belongs to another app
 * or terminal, or is too old. Source: decisions 9.
 */
export async function signSubscriptions(
  { clock, settings, signingKeys }: Pick<Ports, 'clock' | 'settings'> & { readonly signingKeys: SigningKeys },
  { deviceId, app, subscriptions }: { deviceId: string; app: App; subscriptions: unknown },
): Promise<{ jws: string; expiresAt: string }> {
  const { kid, privateKey } = await signingKeys.current()
  const iat = Math.floor(clock.now().getTime() / 1000)
  const exp = iat + (settings.offlineHours ?? OFFLINE_HOURS) * 3_600
  const claims = { iss: settings.baseUrl, sub: app.packageName, aud: deviceUrn(deviceId), iat, exp, subscriptions }
  const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'RS256', typ: TYPE, kid })
    .sign(privateKey)
  return { jws, expiresAt: toTimestamp(new Date(exp * 1000)) }
}
