import { type Brand, DEFAULT_BRAND } from '../../core/brand.ts'
import type { IconType, StoredIcon } from '../../core/icon.ts'
import type { Sql, Tx } from '../db/db.ts'
import { present } from '../db/sql.ts'

type Absent = Exclude<keyof Brand, 'name' | 'logo'>
type Row = { readonly name: string } & { readonly [K in Absent]: string | null } & {
  readonly logoType: IconType | null
  readonly logoSha256: string | null
}

export async function findBrand(sql: Sql): Promise<Brand> {
  const [row] = await sql<Row[]>`
    select name, accent, support_url as "supportUrl", terms_url as "termsUrl", privacy_url as "privacyUrl",
      imprint_url as "imprintUrl", mail_name as "mailName", logo_content_type as "logoType",
      logo_sha256 as "logoSha256"
    from brands`
  if (row === undefined) return DEFAULT_BRAND
  const { logoType, logoSha256, ...brand } = row
  const logo = logoType && logoSha256 ? { logo: { contentType: logoType, sha256: logoSha256 } } : {}
  return { ...present(brand), ...logo }
}

/** Replaces everything but the logo. */
export async function saveBrand({ sql }: Tx, brand: Omit<Brand, 'logo'>, now: Date): Promise<void> {
  await sql`
    insert into brands (brand_id, name, accent, support_url, terms_url, privacy_url, imprint_url, mail_name, updated_at)
    values (1, ${brand.name}, ${brand.accent ?? null}, ${brand.supportUrl ?? null}, ${brand.termsUrl ?? null},
      ${brand.privacyUrl ?? null}, ${brand.imprintUrl ?? null}, ${brand.mailName ?? null}, ${now})
    on conflict (brand_id) do update set
      name = excluded.name, accent = excluded.accent, support_url = excluded.support_url,
      terms_url = excluded.terms_url, privacy_url = excluded.privacy_url, imprint_url = excluded.imprint_url,
      mail_name = excluded.mail_name, updated_at = excluded.updated_at`
}

/** Requires the row of `saveBrand`. */
export async function saveLogo({ sql }: Tx, { contentType, sha256, bytes }: StoredIcon): Promise<void> {
  await sql`update brands set logo_content_type = ${contentType}, logo_sha256 = ${sha256}, logo = ${bytes}`
}

export async function deleteLogo({ sql }: Tx, now: Date): Promise<void> {
  await sql`
    update brands set logo_content_type = null, logo_sha256 = null, logo = null, updated_at = ${now}
    where logo is not null`
}

export async function findLogo(sql: Sql): Promise<StoredIcon | null> {
  const [row] = await sql<StoredIcon[]>`
    select logo_content_type as "contentType", logo_sha256 as sha256, logo as bytes from brands where logo is not null`
  return row ?? null
}
