import { type Html, html, type Part } from '../html.ts'
import { describedBy, problemOf } from './field.ts'

export interface Choice {
  readonly value: string
  readonly text: string
  /** A second line under it. */
  readonly detail?: Part
}

export interface Choices {
  readonly name: string
  /** The question that all of them answer. */
  readonly legend: string
  readonly hint?: Part
  readonly problem?: string | undefined
  readonly options: readonly Choice[]
  /** What is chosen; several of `many`. */
  readonly value?: string | readonly string[]
  /** Several may be chosen: then the form's field is a list. */
  readonly many?: boolean
}

/** One of a few, or several of them, each with room for a word of its own. */
export function choices({ name, legend, hint, problem, options, value, many = false }: Choices): Html {
  const chosen = typeof value === 'string' ? [value] : (value ?? [])
  const choice = ({ value, text, detail }: Choice, i: number) => {
    const attributes = { type: many ? 'checkbox' : 'radio', name, value, checked: chosen.includes(value) }
    // The first one is what a link to the problem leads to.
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

export interface Checkbox {
  readonly name: string
  readonly text: string
  readonly detail?: Part
  readonly isChecked?: boolean
  readonly problem?: string | undefined
}

/** Yes or nothing: the form has the field with `on`, or lacks it. */
export function checkbox({ name, text, detail, isChecked, problem }: Checkbox): Html {
  const attributes = { type: 'checkbox', name, id: name, checked: isChecked, ...describedBy(name, { problem }) }
  return html`<div class="field">
${problemOf(name, problem)}
<label class="choice"><input ${attributes}><span>${text}</span>${detail && html`<small>${detail}</small>`}</label>
</div>`
}
