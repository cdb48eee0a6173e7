import { iconVersion } from '../http/icon-answer.ts'

export const LOGO_PATH = '/brand/logo'
export const STYLE_PATH = '/brand/style.css'

/** Another logo has another address. */
export function logoPath({ sha256 }: { readonly sha256: string }): string {
  return `${LOGO_PATH}?v=${iconVersion(sha256)}`
}

/** Another accent has another address. */
export function stylePath(accent: string): string {
  return `${STYLE_PATH}?v=${accent.slice(1)}`
}
