import { inflateSync } from 'node:zlib'
import { type Brand, rejectBrand } from '../../core/brand.ts'
import { isRejection, type Rejection, rejectField } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { type NewIcon, type SentIcon, takeIcon } from '../http/take-icon.ts'
import { deleteLogo, findBrand, saveBrand, saveLogo } from './store.ts'

export interface NewBrand extends Omit<Brand, 'logo'> {
  /** Replaces the earlier logo. Absent: the logo stays. */
  readonly logo?: SentIcon
}

/** Sets the brand; an absent field loses its value. Rejects a link that is not an https URL, and an unreadable accent colour. */
export async function changeBrand(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { logo: sent, ...brand }: NewBrand,
): Promise<Brand | Rejection> {
  const rejection = rejectBrand(brand)
  if (rejection !== null) return rejection
  const logo = sent === undefined ? undefined : await takeLogo(sent)
  if (isRejection(logo)) return logo
  return db.transaction(async tx => {
    await saveBrand(tx, brand, clock.now())
    if (logo !== undefined) await saveLogo(tx, logo)
    return findBrand(tx.sql)
  })
}

/** Sets the logo alone. */
export async function changeLogo(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  sent: SentIcon,
): Promise<'changed' | Rejection> {
  const logo = await takeLogo(sent)
  if (isRejection(logo)) return logo
  return db.transaction(async tx => {
    await saveBrand(tx, await findBrand(tx.sql), clock.now())
    await saveLogo(tx, logo)
    return 'changed' as const
  })
}

async function takeLogo(sent: SentIcon): Promise<NewIcon | Rejection> {
  const logo = await takeIcon(sent, 'logo')
  if (isRejection(logo) || logo.contentType !== 'image/png' || isWholePng(logo.bytes)) return logo
  return rejectField('logo', 'is a damaged PNG picture')
}

/** Pages show the initial of the name instead. */
export function removeLogo({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<void> {
  return db.transaction(tx => deleteLogo(tx, clock.now()))
}

/** 1024 × 1024 pixels of 8 bytes, and one byte per line. */
const MAX_PIXEL_BYTES = 1024 * (1024 * 8 + 1)
const SIGNATURE_LENGTH = 8

/** Whether the pixels of a PNG can be read. Documents embed the logo, and a broken picture would break each of them. */
function isWholePng(bytes: Buffer): boolean {
  const pixels: Buffer[] = []
  let at = SIGNATURE_LENGTH
  for (let type = ''; type !== 'IEND'; ) {
    if (at + 12 > bytes.length) return false
    const length = bytes.readUInt32BE(at)
    type = bytes.toString('latin1', at + 4, at + 8)
    if (at + 12 + length > bytes.length) return false
    if (type === 'IDAT') pixels.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  try {
    return inflateSync(Buffer.concat(pixels), { maxOutputLength: MAX_PIXEL_BYTES }).length > 0
  } catch {
    return false
  }
}
