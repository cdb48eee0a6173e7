import { linkButton } from '../../platform/web/components/button.ts'
import { type Html, html } from '../../platform/web/html.ts'

/** Lists go on by key: to the next part, and back to the first. */
export function pager(
  label: string,
  { first, next }: { readonly first?: string | undefined; readonly next?: string | undefined },
): Html | false {
  if (first === undefined && next === undefined) return false
  return html`<nav class="pager" aria-label="${label}">
${first === undefined ? html`<span></span>` : linkButton('First page', first)}
${next !== undefined && linkButton('Next page', next)}
</nav>`
}

/** An address with those parameters that have a value. */
export function addressOf(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, value)
  return given.size === 0 ? path : `${path}?${given}`
}
