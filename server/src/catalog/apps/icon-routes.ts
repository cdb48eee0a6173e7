import { reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { findIcon } from './icon-store.ts'
import { removeIcon } from './remove-icon.ts'
import { AppPath, IconQuery, iconVersion } from './schema.ts'

/** Served with its type, never sniffed, and embedded by our own pages only. */
const SHOWN = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** The picture of an app, which merchants see wherever the app is named. Sent with the app itself. */
export function appIconRoutes(ports: Pick<Ports, 'db' | 'clock' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:appId/icon',
      name: 'getAppIcon',
      operation: 'public',
      summary:
        'The picture of an app. Under the address that the app gives it never changes; without `v` it is the latest',
      params: AppPath,
      query: IconQuery,
      contentType: 'image/*',
      sends: ['ETag', 'Content-Security-Policy', 'Cross-Origin-Resource-Policy', 'X-Content-Type-Options'],
      answers: { 200: null, 304: null },
      rejections: ['APPLICATION_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
      async handle({ params, query, headers, db }) {
        const icon = await findIcon(db.sql, uuidOfUrn(params.appId))
        if (icon === null) return reject('RESOURCE_NOT_FOUND', 'There is no such app, or it has no icon.')
        const { contentType: type, sha256, bytes } = icon
        const etag = `"${sha256}"`
        // The address of an older version serves the newer icon, without a long cache time.
        const isForEver = query.v === iconVersion(sha256)
        const kept = isForEver ? 'public, max-age=31536000, immutable' : 'no-cache'
        const known = { ...SHOWN, etag, 'cache-control': kept }
        if (headers['if-none-match'] === etag) return answer(304, undefined, known)
        return { status: 200, headers: known, stream: { type, size: bytes.length, chunks: onePiece(bytes) } }
      },
    }),
    route({
      method: 'DELETE',
      path: '/apps/:appId/icon',
      name: 'removeAppIcon',
      operation: 'apps.manage',
      summary: 'Remove the picture of an app',
      params: AppPath,
      answers: { 204: null },
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: async ({ params, db }) => (await removeIcon({ ...ports, db }, uuidOfUrn(params.appId))) ?? answer(204),
    }),
  ]
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
