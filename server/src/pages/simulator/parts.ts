import type { ButtonLook } from '../../platform/web/components/button.ts'
import { type Html, html } from '../../platform/web/html.ts'

/** A button that the script knows by the name of its act; it sends no form. */
export function actButton(
  text: string,
  act: string,
  { kind = 'plain', size, hidden }: ButtonLook & { readonly hidden?: true } = {},
): Html {
  const look = ['button', kind, ...(size ? [size] : [])].join(' ')
  return html`<button ${{ type: 'button', class: look, 'data-act': act, hidden }}>${text}</button>`
}

/** Where a screen says what went wrong. Empty until it did. */
export function problemPlace(): Html {
  return html`<div class="problem-place" role="alert" data-problem></div>`
}
