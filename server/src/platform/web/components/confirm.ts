import { type Html, html, type Part } from '../html.ts'
import { button, buttons, linkButton } from './button.ts'
import { form } from './form.ts'

export interface Confirmation {
  /** A question that its button answers. */
  readonly title: string
  readonly words: Part
  /** What the button does, as a verb: never "OK". */
  readonly verb: string
  readonly isDangerous?: boolean
  readonly backHref: string
  readonly backText?: string
  readonly csrf: string
  readonly action?: string
  readonly hidden?: Readonly<Record<string, string>>
}

/** A page that asks before something is done. In place of a dialog: it has an address, and needs no script. */
export function confirmation({ title, words, verb, isDangerous = false, backHref, ...more }: Confirmation): Html {
  const { backText = 'Go back', csrf, action, hidden } = more
  return html`<h1>${title}</h1>
${words}
${form({
  csrf,
  ...(action !== undefined && { action }),
  ...(hidden !== undefined && { hidden }),
  body: buttons(button(verb, { kind: isDangerous ? 'danger' : 'primary' }), linkButton(backText, backHref)),
})}`
}
