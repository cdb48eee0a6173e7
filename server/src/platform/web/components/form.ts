import { type Html, html, type Part } from '../html.ts'
import { say } from '../say.ts'

/** Problems by field name; '' concerns the whole form. */
export type Problems = Readonly<Record<string, string>>

/** Checks only the shape: a delivered message is the only proof of an address. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/

interface FormOptions {
  /** `call.csrf`. Forms without it are rejected. */
  readonly csrf: string
  /** Default: the address of the page. */
  readonly action?: string
  /** Sent along unseen. */
  readonly hidden?: Readonly<Record<string, string>>
  readonly problems?: Problems
  readonly id?: string
  /** The form has a `fileField`, its last field. */
  readonly hasFile?: boolean
  readonly body: Part
}

/** A form that posts to us. Problems are also listed at the top with links to their fields. */
export function form({ csrf, action, hidden = {}, problems = {}, id, hasFile = false, body }: FormOptions): Html {
  const enctype = hasFile ? 'multipart/form-data' : undefined
  return html`<form ${{ method: 'post', action, id, enctype, class: 'form', novalidate: true }}>
${Object.entries({ csrf, ...hidden }).map(([name, value]) => html`<input ${{ type: 'hidden', name, value }}>`)}
${problemList(problems)}
${body}
</form>`
}

/** A form with nothing to fill in. `pressed`: its button, or the text of a small one with the context for screen readers. */
export function press(action: string, csrf: string, pressed: Html | string, about?: string): Html {
  const look = { size: 'small', ...(about !== undefined && { about }) } as const
  return html`<form ${{ method: 'post', action }}><input type="hidden" name="csrf" value="${csrf}">${typeof pressed === 'string' ? button(pressed, look) : pressed}</form>`
}

/** A form that changes nothing: its input becomes the query of the next URL, so the form carries no token. */
export function question({
  action,
  problems = {},
  body,
}: Pick<FormOptions, 'problems' | 'body'> & { readonly action: string }): Html {
  return html`<form ${{ method: 'get', action, class: 'form', novalidate: true }}>
${problemList(problems)}
${body}
</form>`
}

function problemList(problems: Problems) {
  const all = Object.entries(problems)
  if (all.length === 0) return false
  const whole = problems[''] !== undefined && all.length === 1
  return html`<div class="notice bad" role="alert" tabindex="-1" data-problems>
<p class="notice-title">${whole ? problems[''] : say`There is a problem with your entries`}</p>
${!whole && html`<ul>${all.map(([name, problem]) => html`<li>${name === '' ? problem : html`<a ${{ href: `#${name}` }}>${problem}</a>`}</li>`)}</ul>`}
</div>`
}

type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

export interface ButtonLook {
  /** `primary`: the main action; `danger`: irreversible. Default: plain. */
  readonly kind?: ButtonKind
  /** `large`: full width, for a till's screen. */
  readonly size?: 'small' | 'large'
}

interface ButtonOptions extends ButtonLook {
  /** Sent with the form if this button is pressed. */
  readonly name?: string
  readonly value?: string
  readonly disabled?: boolean
  /** Context for screen readers. */
  readonly about?: string
}

/** Submits its form. */
export function button(text: string, { name, value, disabled, about, ...look }: ButtonOptions = {}): Html {
  return html`<button ${{ type: 'submit', class: classOf(look), name, value, disabled }}>${text}${unseen(about)}</button>`
}

/** A link in the shape of a button, for actions that change nothing. */
export function linkButton(
  text: string,
  href: string,
  { about, opens, ...look }: ButtonLook & { about?: string; opens?: 'dialog' } = {},
): Html {
  return html`<a ${{ href, class: classOf(look), 'data-opens': opens }}>${text}${unseen(about)}</a>`
}

/** A button that leads to a page with a `confirmation`. Script shows that page as a dialog. */
export function confirmLink(text: string, href: string, look: ButtonLook & { about?: string } = {}): Html {
  return linkButton(text, href, { ...look, opens: 'dialog' })
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

interface FieldWords {
  readonly name: string
  readonly label: string
  /** Shown before input: purpose or format. */
  readonly hint?: Part
  /** Shown after input: the problem and the remedy. */
  readonly problem?: string | undefined
  /** Default: required. */
  readonly isOptional?: boolean
}

interface TextField extends FieldWords {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'tel' | 'url' | 'date' | 'datetime-local'
  readonly value?: string
  /** The autofill hint for browsers and password managers: `username`, `current-password`, `new-password`, `one-time-code`, … */
  readonly autocomplete?: string
  readonly maxlength?: number
  readonly inputmode?: 'numeric' | 'decimal' | 'email' | 'text'
  /** Large, spaced characters for a code. */
  readonly isCode?: boolean
  /** The first thing to fill in of a page that is there for nothing else. */
  readonly autofocus?: boolean
  readonly disabled?: boolean
}

/** Label, hint, problem and input, in this order for screen readers as well. */
export function textField(field: TextField): Html {
  const { name, type = 'text', value, isCode, autocomplete, maxlength, inputmode, autofocus, disabled } = field
  // A secret is not sent back into the page.
  const shown = type === 'password' ? undefined : value
  const own = { type, value: shown, autocomplete, maxlength, inputmode, autofocus, disabled }
  const spelling = { autocapitalize: 'none', spellcheck: 'false' }
  return html`<div class="field">
${wordsOf(field)}
<input ${{ ...attributesOf(field), ...own, ...(type === 'text' && !isCode ? {} : spelling), class: isCode ? 'input code' : 'input', id: name }}>
</div>`
}

interface TextArea extends FieldWords {
  readonly value?: string
  readonly maxlength?: number
  readonly rows?: number
}

/** Several lines of text. */
export function textArea(field: TextArea): Html {
  const { name, value = '', maxlength, rows = 4 } = field
  // A browser drops the first line break.
  return html`<div class="field">
${wordsOf(field)}
<textarea ${{ ...attributesOf(field), class: 'input', id: name, rows, maxlength }}>
${value}</textarea>
</div>`
}

interface FileField extends FieldWords {
  readonly accept?: string | undefined
}

/** A file to upload: chosen, or dropped on the field. The last field of its form. */
export function fileField(field: FileField): Html {
  const { name, accept } = field
  return html`<div class="field">
${wordsOf(field)}
<input ${{ ...attributesOf(field), type: 'file', class: 'input file', id: name, accept }}>
</div>`
}

interface Option {
  readonly value: string
  readonly text: string
}

interface SelectField extends FieldWords {
  readonly options: readonly Option[]
  readonly value?: string
  /** Default: the name, which must be the only one of the page. */
  readonly id?: string
}

export function selectField(field: SelectField): Html {
  return html`<div class="field">
${wordsOf(field)}
<select ${{ ...attributesOf(field), class: 'input', id: field.id ?? field.name }}>
${field.options.map(({ value, text }) => html`<option ${{ value, selected: value === field.value }}>${text}</option>`)}
</select>
</div>`
}

function wordsOf({ name, id = name, label, hint, problem, isOptional }: FieldWords & { readonly id?: string }): Html {
  return html`<label class="label" for="${id}">${label}${isOptional && html` <small>${say`optional`}</small>`}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problemOf(name, problem)}`
}

function attributesOf({ name, hint, problem, isOptional }: FieldWords) {
  return { name, required: !isOptional, ...describedBy(name, { hint, problem }) }
}

function problemOf(name: string, problem: string | undefined) {
  return (
    problem && html`<p class="problem" id="${name}-problem"><span class="unseen">${say`Problem:`} </span>${problem}</p>`
  )
}

function describedBy(name: string, { hint, problem }: { hint?: Part; problem?: string | undefined }) {
  const ids = [...(hint ? [`${name}-hint`] : []), ...(problem ? [`${name}-problem`] : [])]
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': problem ? 'true' : undefined,
  }
}

export interface Choice {
  readonly value: string
  readonly text: string
  /** A second line below. */
  readonly detail?: Part
}

export interface Choices {
  readonly name: string
  /** The question of the group. */
  readonly legend: string
  readonly hint?: Part
  readonly problem?: string | undefined
  readonly options: readonly Choice[]
  /** The chosen value, or several values of `many`. */
  readonly value?: string | readonly string[]
  /** Several may be chosen: then the form's field is a list. */
  readonly many?: boolean
}

/** One or several of a few options, each with a detail. */
export function choices({ name, legend, hint, problem, options, value, many = false }: Choices): Html {
  const chosen = typeof value === 'string' ? [value] : (value ?? [])
  const choice = ({ value, text, detail }: Choice, i: number) => {
    const attributes = { type: many ? 'checkbox' : 'radio', name, value, checked: chosen.includes(value) }
    // A link to the problem leads to the first option.
    const own = { id: i === 0 ? name : undefined, required: !many }
    return html`<label class="choice"><input ${{ ...attributes, ...own }}><span>${text}</span>${detail && html`<small>${detail}</small>`}</label>`
  }
  return html`<fieldset ${{ class: 'field choices', ...describedBy(name, { hint, problem }), 'aria-invalid': undefined }}>
<legend class="label">${legend}</legend>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problemOf(name, problem)}
${options.map(choice)}
</fieldset>`
}

interface Checkbox {
  readonly name: string
  readonly text: string
  readonly detail?: Part
  readonly isChecked?: boolean
  readonly problem?: string | undefined
}

/** A checkbox: the form has the field with `on`, or lacks it. */
export function checkbox({ name, text, detail, isChecked, problem }: Checkbox): Html {
  const attributes = { type: 'checkbox', name, id: name, checked: isChecked, ...describedBy(name, { problem }) }
  return html`<div class="field">
${problemOf(name, problem)}
<label class="choice"><input ${attributes}><span>${text}</span>${detail && html`<small>${detail}</small>`}</label>
</div>`
}

interface Confirmation extends Pick<FormOptions, 'action' | 'hidden'> {
  readonly title: string
  readonly words: Part
  /** The button's verb, never "OK". */
  readonly verb: string
  readonly isDangerous?: boolean
  readonly backHref: string
  readonly backText?: string
  /** Further fields above the buttons. */
  readonly fields?: Html
}

/** A confirmation page. Unlike a dialog it has an address and needs no script. */
export function confirmation(
  { csrf }: { readonly csrf: string },
  { title, words, verb, isDangerous = false, backHref, backText = say`Go back`, fields, ...options }: Confirmation,
): Html {
  return html`<h1>${title}</h1>
${words}
${form({
  ...{ csrf, ...options },
  body: html`${fields}${buttons(button(verb, { kind: isDangerous ? 'danger' : 'primary' }), linkButton(backText, backHref))}`,
})}`
}
