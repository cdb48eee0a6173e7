import { type Brand, rejectBrand } from '../../core/brand.ts'
import { isRejection, type Rejection, rejectField } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { type SentIcon, takeIcon } from '../http/take-icon.ts'
import { deleteLogo, findBrand, saveBrand, saveLogo } from './store.ts'
import { isWholePng } from './whole-png.ts'

export interface NewBrand extends Omit<Brand, 'logo'> {
  /** Replaces the earlier logo. Absent: the logo stays. */
  readonly logo?: SentIcon
}

/** Sets the brand; an absent field loses its value. Rejects a link that is no https address and an accent that cannot be read. */
export async function changeBrand(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { logo: sent, ...brand }: NewBrand,
): Promise<Brand | Rejection> {
  const rejection = rejectBrand(brand)
  if (rejection !== null) return rejection
  const logo = sent === undefined ? undefined : await takeIcon(sent, 'logo')
  if (isRejection(logo)) return logo
  if (logo?.contentType === 'image/png' && !isWholePng(logo.bytes))
    return rejectField('logo', 'is a broken PNG picture')
  return db.transaction(async tx => {
    await saveBrand(tx, brand, clock.now())
    if (logo !== undefined) await saveLogo(tx, logo)
    return findBrand(tx.sql)
  })
}

/** Pages show the initial of the name instead. */
export function removeLogo({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<void> {
  return db.transaction(tx => deleteLogo(tx, clock.now()))
}
