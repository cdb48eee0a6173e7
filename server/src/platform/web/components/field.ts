import { type Html, html, type Part } from '../html.ts'

interface FieldWords {
  readonly name: string
  readonly label: string
  /** Before a person fills it in: what it is for, or how it looks. */
  readonly hint?: Part
  /** After: what is wrong, and what to do. */
  readonly problem?: string | undefined
  /** Default: it must be filled in. */
  readonly isOptional?: boolean
}

export interface TextField extends FieldWords {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'tel' | 'url'
  readonly value?: string
  /** What a browser or a password manager fills in: `username`, `current-password`, `new-password`, `one-time-code`, … */
  readonly autocomplete?: string
  readonly maxlength?: number
  readonly inputmode?: 'numeric' | 'email' | 'text'
  /** Shown large and apart: a code that is read from elsewhere. */
  readonly isCode?: boolean
  /** The first thing to fill in of a page that is there for nothing else. */
  readonly autofocus?: boolean
  readonly disabled?: boolean
}

/** A label, a hint, what is wrong, and the box. Said to everybody in this order, also by a screen reader. */
export function textField(field: TextField): Html {
  const { name, type = 'text', value, isCode, autocomplete, maxlength, inputmode, autofocus, disabled } = field
  // What somebody keeps secret is not sent back, where it would stay in a page's text.
  const shown = type === 'password' ? undefined : value
  const own = { type, value: shown, autocomplete, maxlength, inputmode, autofocus, disabled }
  const spelling = { autocapitalize: 'none', spellcheck: 'false' }
  return html`<div class="field">
${wordsOf(field)}
<input ${{ ...attributesOf(field), ...own, ...(type === 'text' && !isCode ? {} : spelling), class: isCode ? 'input code' : 'input', id: name }}>
</div>`
}

export interface Option {
  readonly value: string
  readonly text: string
}

export interface SelectField extends FieldWords {
  readonly options: readonly Option[]
  readonly value?: string
}

export function selectField(field: SelectField): Html {
  return html`<div class="field">
${wordsOf(field)}
<select ${{ ...attributesOf(field), class: 'input', id: field.name }}>
${field.options.map(({ value, text }) => html`<option ${{ value, selected: value === field.value }}>${text}</option>`)}
</select>
</div>`
}

function wordsOf({ name, label, hint, problem, isOptional }: FieldWords): Html {
  return html`<label class="label" for="${name}">${label}${isOptional && html` <small>optional</small>`}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problemOf(name, problem)}`
}

function attributesOf({ name, hint, problem, isOptional }: FieldWords) {
  return { name, required: !isOptional, ...describedBy(name, { hint, problem }) }
}

export function problemOf(name: string, problem: string | undefined) {
  return problem && html`<p class="problem" id="${name}-problem"><span class="unseen">Problem: </span>${problem}</p>`
}

export function describedBy(name: string, { hint, problem }: { hint?: Part; problem?: string | undefined }) {
  const ids = [...(hint ? [`${name}-hint`] : []), ...(problem ? [`${name}-problem`] : [])]
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': problem ? 'true' : undefined,
  }
}
