import { assert } from '../../core/assert.ts'
import { escaped } from './escape.ts'

export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Attributes whose value a browser follows or loads. */
export const URL_ATTRIBUTES = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite'])

/** Code by another name: no value of ours goes there. */
export function isCode(name: string): boolean {
  return name.startsWith('on') || name === 'style' || name === 'srcdoc' || name === 'srcset'
}

/** `name="value"` of each: true is the name alone; false, null and undefined are nothing at all. */
export function attributesText(attributes: Attributes): string {
  return Object.entries(attributes).flatMap(attributeText).join(' ')
}

function attributeText([name, value]: [string, Attributes[string]]): string[] {
  assert(/^[a-z][a-z0-9-]*$/.test(name) && !isCode(name), `html: ${name} is no attribute for a value`)
  if (value === false || value === null || value === undefined) return []
  if (value === true) return [name]
  assert(!URL_ATTRIBUTES.has(name) || isSafeUrl(String(value)), `html: ${name} is no address of ours or of the web`)
  return [`${name}="${escaped(String(value))}"`]
}

/** A path, a query, a fragment, or an address of the web; never `javascript:`, and images as data. */
export function isSafeUrl(url: string): boolean {
  // Browsers drop tabs and line ends, and read a backslash as a slash.
  if (/[\0-\x20\\]/.test(url)) return false
  return /^(\/(?!\/)|[?#]|https?:\/\/|mailto:|tel:|data:image\/(png|jpeg|webp|gif);base64,)/i.test(url) || url === ''
}
