import { Type } from 'typebox'
import type { Brand } from '../../core/brand.ts'
import { defaultBrand } from '../../platform/brand/current.ts'
import { type AnyRoute, route } from '../../platform/http/route.ts'
import { openApiDocument, type Served } from './document.ts'
import type { OpenApi } from './openapi.ts'
import { PAGE_POLICY, referencePage } from './page.ts'

/** The document changes only with a new version of the service. */
const KEPT = { 'cache-control': 'public, max-age=300' }

/** The routes of the document and the page. The first request makes each; a new brand renders the page again. */
export function contractRoutes(routes: readonly AnyRoute[], served: Served, brand = defaultBrand): AnyRoute[] {
  let document: OpenApi | undefined
  const documentOf = () => {
    document ??= openApiDocument([...routes, ...own], served)
    return document
  }
  let json: string | undefined
  let page: { readonly of: Brand; readonly text: string } | undefined
  const own = [
    route({
      method: 'GET',
      path: '/openapi.json',
      name: 'getOpenApi',
      operation: 'public',
      summary: 'Get this document as OpenAPI 3.1',
      answers: { 200: Type.Object({}) },
      contentType: 'application/json',
      handle: async () => {
        json ??= printOpenApi(documentOf())
        return { status: 200, headers: KEPT, text: { type: 'application/json; charset=utf-8', content: json } }
      },
    }),
    route({
      method: 'GET',
      path: '/docs',
      name: 'getReference',
      operation: 'public',
      summary: 'Get this document as a page',
      answers: { 200: Type.String() },
      contentType: 'text/html',
      sends: ['Content-Security-Policy', 'X-Content-Type-Options'],
      handle: async () => {
        const current = await brand.refresh()
        if (page?.of !== current) page = { of: current, text: referencePage(documentOf(), current) }
        const headers = { ...KEPT, 'content-security-policy': PAGE_POLICY, 'x-content-type-options': 'nosniff' }
        return { status: 200, headers, text: { type: 'text/html; charset=utf-8', content: page.text } }
      },
    }),
  ]
  return own
}

/** The document as served and as committed in contract/openapi.json. */
export function printOpenApi(document: OpenApi): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
