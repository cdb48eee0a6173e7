import { type ButtonLook, button } from '../../platform/web/components/button.ts'
import { type Html, html } from '../../platform/web/html.ts'

/** A form that is only a button. */
export function press(action: string, csrf: string, text: string, look: ButtonLook = {}): Html {
  return html`<form ${{ method: 'post', action }}><input type="hidden" name="csrf" value="${csrf}">${button(text, look)}</form>`
}
