import { type Html, html } from '../html.ts'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

export interface ButtonLook {
  /** `primary`: the one thing to do here; `danger`: it cannot be undone. Default: plain. */
  readonly kind?: ButtonKind
  /** `large`: as wide as its place, for a till's screen. */
  readonly size?: 'small' | 'large'
}

export interface ButtonOptions extends ButtonLook {
  /** Posted with the form when this button was pressed. */
  readonly name?: string
  readonly value?: string
  readonly disabled?: boolean
  /** What it is about, for those who do not see what stands around it. */
  readonly about?: string
}

/** Sends the form that it is in. */
export function button(text: string, { name, value, disabled, about, ...look }: ButtonOptions = {}): Html {
  return html`<button ${{ type: 'submit', class: classOf(look), name, value, disabled }}>${text}${unseen(about)}</button>`
}

/** Looks like a button and goes somewhere: what changes nothing is a link. */
export function linkButton(text: string, href: string, { about, ...look }: ButtonLook & { about?: string } = {}): Html {
  return html`<a ${{ href, class: classOf(look) }}>${text}${unseen(about)}</a>`
}

export function buttons(...items: readonly Html[]): Html {
  return html`<div class="buttons">${items}</div>`
}

function classOf({ kind = 'plain', size }: ButtonLook): string {
  return ['button', kind, ...(size ? [size] : [])].join(' ')
}

function unseen(about: string | undefined) {
  return about !== undefined && html`<span class="unseen"> ${about}</span>`
}
