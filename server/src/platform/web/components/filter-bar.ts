import { type Html, html } from '../html.ts'
import { button } from './form.ts'
import { addressOf } from './table.ts'

interface Field {
  readonly name: string
  readonly label: string
  /** The filter in force. Absent: none. */
  readonly value?: string | undefined
}

export type FilterField =
  | (Field & { readonly kind: 'search'; readonly placeholder?: string })
  | (Field & { readonly kind: 'text' })
  | (Field & { readonly kind: 'date' })
  | (Field & {
      readonly kind: 'select'
      readonly options: readonly { readonly value: string; readonly text: string }[]
      /** The list always has one of the options: there is no "Any" and no chip. */
      readonly isRequired?: boolean
    })

interface FilterBar {
  readonly path: string
  /** The list, for screen readers. */
  readonly label: string
  readonly fields: readonly FilterField[]
  /** Other parameters of the address that a new filter keeps. A cursor is not kept. */
  readonly kept?: Readonly<Record<string, string | undefined>>
}

/** Filters of a list. The address holds them, so that a link shows the same list. Each filter in force is a chip that removes it. */
export function filterBar({ path, label, fields, kept = {} }: FilterBar): Html {
  const given = fields.filter(({ value }) => isGiven(value))
  const inForce = given.filter(field => !isRequired(field))
  const always = { ...kept, ...valuesOf(given.filter(isRequired)) }
  const hidden = Object.entries(kept).filter((entry): entry is [string, string] => isGiven(entry[1]))
  return html`<search class="filter-bar" aria-label="${label}"><form ${{ method: 'get', action: path, 'data-filter': true }}>
${hidden.map(([name, value]) => html`<input ${{ type: 'hidden', name, value }}>`)}
${fields.map(fieldOf)}
${button('Apply', { size: 'small' })}
</form>
${
  inForce.length > 0 &&
  html`<ul class="chips" aria-label="Filters in force">${inForce.map(field => html`<li>${chip(field, addressOf(path, { ...always, ...valuesOf(inForce.filter(other => other !== field)) }))}</li>`)}<li><a class="chips-clear" href="${addressOf(path, always)}">Clear all</a></li></ul>`
}</search>`
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

const isRequired = (field: FilterField) => field.kind === 'select' && field.isRequired === true

const valuesOf = (fields: readonly FilterField[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]))

function fieldOf(field: FilterField): Html {
  const { kind, name, label, value } = field
  const id = `filter-${name}`
  const own = { id, name, class: 'input' }
  const text = { ...own, type: kind, value, maxlength: 200, autocomplete: 'off', spellcheck: 'false' }
  const input =
    field.kind === 'select'
      ? html`<select ${own}>${!field.isRequired && html`<option value="">Any</option>`}${field.options.map(option => html`<option ${{ value: option.value, selected: option.value === value }}>${option.text}</option>`)}</select>`
      : html`<input ${{ ...text, placeholder: field.kind === 'search' ? field.placeholder : undefined }}>`
  return html`<div ${{ class: `filter-field ${kind}` }}><label for="${id}">${label}</label>${input}</div>`
}

/** A filter in words. The link leads to the list without the filter. */
function chip(field: FilterField, href: string): Html {
  const word = field.kind === 'select' ? field.options.find(({ value }) => value === field.value)?.text : undefined
  return html`<a ${{ class: 'chip', href }}><span class="unseen">Remove the filter </span>${field.label}: <strong>${word ?? field.value}</strong><span class="chip-x" aria-hidden="true">×</span></a>`
}
