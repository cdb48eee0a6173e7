import type { Static } from 'typebox'
import type { Brand } from '../../core/brand.ts'
import { given } from '../../core/given.ts'
import { MAX_ICON_BYTES } from '../../core/icon.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { ICON_HEADERS, iconAnswer } from '../http/icon-answer.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import { changeBrand, removeLogo } from './change.ts'
import type { CurrentBrand } from './current.ts'
import { LOGO_PATH, STYLE_PATH } from './paths.ts'
import { BrandBody, BrandJson, brandToJson, VersionQuery } from './schema.ts'
import { findBrand, findLogo } from './store.ts'
import { brandStyle } from './style.ts'

/** PNG, JPEG or WebP. */
const WITH_LOGO = { json: 'brand', file: 'logo', maxBytes: MAX_ICON_BYTES }

export function brandRoutes(
  ports: Pick<Ports, 'db' | 'clock' | 'settings'> & { readonly currentBrand: CurrentBrand },
): AnyRoute[] {
  const { currentBrand, settings } = ports
  return [
    route({
      method: 'GET',
      path: '/brand',
      name: 'getBrand',
      operation: 'operations.read',
      summary: 'Get the brand of pages, mails and documents',
      answers: { 200: BrandJson },
      handle: async ({ db }) => answer(200, brandToJson(await findBrand(db.sql), settings.baseUrl)),
    }),
    route({
      method: 'PUT',
      path: '/brand',
      name: 'changeBrand',
      operation: 'brand.manage',
      summary: 'Set the brand, optionally with a logo. Absent fields are cleared; without a file the logo stays',
      body: BrandBody,
      upload: WITH_LOGO,
      answers: { 200: BrandJson },
      async handle({ body, file, db }) {
        const brand = await changeBrand({ ...ports, db }, { ...brandOf(body), ...(file && { logo: file }) })
        if (isRejection(brand)) return brand
        currentBrand.forget()
        return answer(200, brandToJson(brand, settings.baseUrl))
      },
    }),
    route({
      method: 'GET',
      path: LOGO_PATH,
      name: 'getLogo',
      operation: 'public',
      summary: 'Get the logo. The address with `v` never changes its content; without `v` the latest logo is returned',
      query: VersionQuery,
      contentType: 'image/*',
      sends: ICON_HEADERS,
      answers: { 200: null, 304: null },
      rejections: ['RESOURCE_NOT_FOUND'],
      async handle({ query, headers, db }) {
        const logo = await findLogo(db.sql)
        if (logo === null) return reject('RESOURCE_NOT_FOUND', 'The brand has no logo.')
        return iconAnswer(logo, { version: query.v, ifNoneMatch: headers['if-none-match'], isForAll: true })
      },
    }),
    route({
      method: 'DELETE',
      path: LOGO_PATH,
      name: 'removeLogo',
      operation: 'brand.manage',
      summary: 'Remove the logo. Pages then show the first letter of the name',
      answers: { 204: null },
      async handle({ db }) {
        await removeLogo({ ...ports, db })
        currentBrand.forget()
        return answer(204)
      },
    }),
    route({
      method: 'GET',
      path: STYLE_PATH,
      name: 'getBrandStyle',
      operation: 'public',
      summary: 'Get the accent colour as a stylesheet',
      query: VersionQuery,
      contentType: 'text/css',
      answers: { 200: null },
      async handle({ query, db }) {
        const { accent } = await findBrand(db.sql)
        const isCurrent = accent !== undefined && query.v === accent.slice(1)
        return {
          status: 200,
          headers: { 'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache' },
          text: { type: 'text/css; charset=utf-8', content: accent === undefined ? '' : brandStyle(accent) },
        }
      },
    }),
  ]
}

/** The known fields; a colour in lower case. */
function brandOf({ name, accent, mailName, ...links }: Static<typeof BrandBody>): Omit<Brand, 'logo'> {
  const { supportUrl, termsUrl, privacyUrl, imprintUrl } = links
  return given({ name, accent: accent?.toLowerCase(), supportUrl, termsUrl, privacyUrl, imprintUrl, mailName })
}
