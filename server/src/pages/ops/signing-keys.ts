import { PUBLISHED_BEFORE_USE_MS, rotateSigningKey } from '../../access/tokens/rotate-signing-key.ts'
import { findSigningKeys, type StoredSigningKey } from '../../access/tokens/signing-key-store.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { badge } from '../../platform/web/components/content.ts'
import { confirmation } from '../../platform/web/components/form.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { framed, opsPage } from './ops-page.ts'

export const SIGNING_KEYS_PATH = `${OPERATOR_PATHS.system}/signing-keys`

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
        const main = confirmation({
          title: 'Rotate the signing key?',
          words: html`<ul>
<li>The next key is published at <code>/.well-known/jwks.json</code> at once and signs in ${String(minutes)} minutes.</li>
<li>Access tokens of the previous key stay valid until they expire.</li>
<li>A program that pins <code>/.well-known/public-key.pem</code> must load it again.</li>
</ul>
${keys.length > 0 && keyTable(keys)}`,
          verb: 'Rotate the signing key',
          backHref: OPERATOR_PATHS.system,
          csrf: call.csrf,
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
