import type { Icon } from './icon.ts'
import { type FieldProblem, type Rejection, reject } from './rejection.ts'

/** The operator's name and look on pages, mails and documents. */
export interface Brand {
  readonly name: string
  /** `#rrggbb`, in lower case. Absent: the colours of tokens.css. */
  readonly accent?: string
  readonly supportUrl?: string
  readonly termsUrl?: string
  readonly privacyUrl?: string
  readonly imprintUrl?: string
  /** The sender's name of mails. Absent: the name in TILLHOOK_MAIL_FROM for the default brand, else `name`. */
  readonly mailName?: string
  readonly logo?: Icon
}

/** The brand until the operator sets one. */
export const DEFAULT_BRAND: Brand = { name: 'Tillhook' }

export const BRAND_LINKS = ['supportUrl', 'termsUrl', 'privacyUrl', 'imprintUrl'] as const
export type BrandLink = (typeof BRAND_LINKS)[number]

/** WCAG 2.2, 1.4.3. */
const TEXT_CONTRAST = 4.5

/** The grounds of tokens.css that the accent stands on, by theme. brand.test.ts compares them. */
export const GROUNDS = {
  light: { paper: '#f7f4ee', surface: '#fffdf9', ink: '#1f1b16' },
  dark: { paper: '#161411', surface: '#1f1c18', ink: '#f3eee5' },
} as const
type Theme = keyof typeof GROUNDS

const WHITE = '#ffffff'
const BLACK = '#000000'

/** Returns null if every page can show the brand: https or mailto links, and an accent colour that people can read. */
export function rejectBrand(brand: Omit<Brand, 'logo'>): Rejection | null {
  const fields: FieldProblem[] = BRAND_LINKS.flatMap(path => {
    const problem = problemOfLink(path, brand[path])
    return problem === null ? [] : [{ path, problem }]
  })
  const problem = brand.accent === undefined ? null : problemOfAccent(brand.accent)
  if (problem !== null) fields.push({ path: 'accent', problem })
  const [first] = fields
  return first === undefined ? null : reject('INVALID_PARAMETER', `${first.path} ${first.problem}.`, { fields })
}

function problemOfLink(name: BrandLink, url: string | undefined): string | null {
  if (url === undefined) return null
  const parsed = /[\s\\]/.test(url) ? null : URL.parse(url)
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '') return null
  if (name === 'supportUrl' && parsed?.protocol === 'mailto:' && parsed.pathname.includes('@')) return null
  return name === 'supportUrl' ? 'must begin with https:// or mailto:' : 'must begin with https://'
}

/** White text on the accent, and the accent as text, need the contrast of WCAG AA. The problem names the nearest colour that has it. */
function problemOfAccent(accent: string): string | null {
  if (!/^#[0-9a-f]{6}$/.test(accent)) return 'must be a colour such as #17604a'
  if (isReadable(accent, 'light')) return null
  return `is too light to read; the nearest colour with enough contrast is ${readable(accent, 'light')}`
}

export interface AccentTokens {
  readonly accent: string
  readonly accentStrong: string
  readonly accentSoft: string
  readonly onAccent: string
}

/** The colours of a theme that derive from the accent. In the dark theme the accent is lightened until it can be read. */
export function accentTokens(accent: string, theme: Theme): AccentTokens {
  const shown = readable(accent, theme)
  return {
    accent: shown,
    accentStrong: mix(shown, theme === 'light' ? BLACK : WHITE, 0.22),
    accentSoft: softOf(shown, theme),
    onAccent: onOf(shown, theme),
  }
}

/** Darkened (lightened in the dark theme) in the smallest steps until it can be read. */
function readable(color: string, theme: Theme): string {
  for (let part = 0; part < 1; part += 0.02) {
    const mixed = mix(color, theme === 'light' ? BLACK : WHITE, part)
    if (isReadable(mixed, theme)) return mixed
  }
  return theme === 'light' ? BLACK : WHITE
}

function isReadable(color: string, theme: Theme): boolean {
  const { paper, surface } = GROUNDS[theme]
  const grounds = [paper, surface, softOf(color, theme), onOf(color, theme)]
  return grounds.every(ground => contrast(color, ground) >= TEXT_CONTRAST)
}

function softOf(color: string, theme: Theme): string {
  return mix(color, GROUNDS[theme].surface, theme === 'light' ? 0.88 : 0.82)
}

function onOf(color: string, theme: Theme): string {
  return theme === 'light' ? WHITE : mix(color, BLACK, 0.85)
}

/** Mixes two colours. `part` is the share of the second colour. */
function mix(a: string, b: string, part: number): string {
  const other = channels(b)
  const mixed = channels(a).map((value, i) => Math.round(value * (1 - part) + (other[i] ?? 0) * part))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** WCAG 2.2, "contrast ratio". */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function channels(color: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
}
