import { Type } from 'typebox'
import type { Brand } from '../../core/brand.ts'
import { Line } from '../http/wire.ts'
import { logoPath } from './paths.ts'

const Address = (description: string) => Type.Optional(Type.String({ ...Line(2_048), description }))

const fields = {
  name: Line(60),
  accent: Type.Optional(
    Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'colour of buttons and links, such as #17604a' }),
  ),
  supportUrl: Address('https:// or mailto:'),
  termsUrl: Address('https://'),
  privacyUrl: Address('https://'),
  imprintUrl: Address('https://'),
  mailName: Type.Optional(Type.String({ ...Line(60), description: 'Sender of mails. Default: the name' })),
}

export const BrandBody = Type.Object(fields)

export const BrandJson = Type.Object({
  ...fields,
  logo: Type.Optional(Type.Object({ url: Type.String(), contentType: Type.String() })),
})

export const VersionQuery = Type.Object({
  v: Type.Optional(Type.String({ maxLength: 64, description: 'The version that the address of a page names' })),
})

export function brandToJson({ logo, ...brand }: Brand, baseUrl: string) {
  return {
    ...brand,
    ...(logo && { logo: { url: `${baseUrl}${logoPath(logo)}`, contentType: logo.contentType } }),
  }
}
