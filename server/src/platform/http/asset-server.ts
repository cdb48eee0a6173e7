import type { FastifyInstance } from 'fastify'
import type { Asset } from '../web/assets.ts'
import { everyAnswerHeaders } from './wire-answer.ts'

/** Serves files that pages load. Their names change with their bytes, so that a browser asks for each once. */
export function serveAssets(app: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, etag, bytes } of assets) {
    const headers = {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      // A picture that is opened by its own address is a page, too.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    }
    app.get(path, { config: { isAsset: true } }, (request, reply) => {
      reply.headers({ ...everyAnswerHeaders(request.id), ...headers })
      const isKnown = request.headers['if-none-match']?.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
      return isKnown ? reply.code(304).send() : reply.send(bytes)
    })
  }
}
