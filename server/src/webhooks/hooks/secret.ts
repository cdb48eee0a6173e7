import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Vault } from '../../platform/vault/vault.ts'

/** Each vault purpose. A value sealed for one does not open for another. */
const PURPOSE = 'hook-secret'
const FINGERPRINT = 'hook-fingerprint'

/** Interface, Webhook registration: "Returned masked (all asterisks) in responses". */
export const MASKED = '********'

/** Everything about a hook that must not be read from the database, sealed as one value. */
export interface HookSecrets {
  /** Signs the deliveries. */
  readonly secret: string
  /** Secrets before a rotation, the newest first. Each signs beside the current one until `until` (ISO 8601). */
  readonly previous?: readonly { readonly secret: string; readonly until: string }[]
  /** When the secret took effect (ISO 8601): earlier attempts were signed with another one. */
  readonly since?: string
  /** The delivery URL from its `?` on: developers put tokens there. */
  readonly query?: string
}

/** Decisions 7: a secret is "encrypted at rest". */
export function sealSecrets(vault: Vault, secrets: HookSecrets): Buffer {
  return vault.seal(PURPOSE, JSON.stringify(secrets))
}

/** Throws VaultError if the value cannot be opened. */
export function openSecrets(vault: Vault, sealed: Buffer): HookSecrets {
  return JSON.parse(vault.openText(PURPOSE, sealed))
}

/** The facts that an attempt needs. */
export interface Endpoint extends Pick<HookSecrets, 'secret' | 'previous'> {
  readonly deliveryUrl: string
}

/** Throws VaultError if the secrets cannot be opened. */
export function openEndpoint(
  vault: Vault,
  { deliveryUrl, sealedSecrets }: { readonly deliveryUrl: string; readonly sealedSecrets: Buffer },
): Endpoint {
  const { query, ...secrets } = openSecrets(vault, sealedSecrets)
  return { deliveryUrl: revealQuery(deliveryUrl, query), ...secrets }
}

/** The URL with each value of its query masked, as rows, responses and pages show it, and the query to seal. */
export function hideQuery(url: string): { readonly deliveryUrl: string; readonly query?: string } {
  const at = url.split('#', 1)[0]?.indexOf('?') ?? -1
  if (at < 0) return { deliveryUrl: url }
  const query = url.slice(at)
  const values = query.slice(1).split('#', 1)[0] ?? ''
  const masked = values.split('&').map(pair => {
    const [name, value] = pair.split(/=(.*)/s)
    return value === undefined ? pair && MASKED : `${name}=${value && MASKED}`
  })
  return { deliveryUrl: `${url.slice(0, at)}?${masked.join('&')}`, query }
}

/** Rejects a URL that was read from a response: its values are gone. */
export function rejectMasked(url: string): Rejection | null {
  if (!hideQuery(url).query?.includes(MASKED)) return null
  return rejectField('deliveryUrl', `holds ${MASKED}, which stands for a hidden value: send the value itself`)
}

/** The URL to call. */
export function revealQuery(deliveryUrl: string, query: string | undefined): string {
  return query === undefined ? deliveryUrl : `${deliveryUrl.slice(0, deliveryUrl.indexOf('?'))}${query}`
}

/** Equal for the same URL and event types, which together can exceed the size of an index entry. Does not reveal the URL. */
export function fingerprint(vault: Vault, url: string, eventTypes: readonly string[]): Buffer {
  return vault.mark(FINGERPRINT, [url, ...eventTypes].join('\n'))
}
