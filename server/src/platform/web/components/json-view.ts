import { type Html, html } from '../html.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Deeper parts start folded. */
const OPEN_DEPTH = 2

/** JSON with parts that fold. */
export function jsonView(value: unknown): Html {
  return html`<div class="json listing">${view(value as Json, 0, '')}</div>`
}

/** `tail`: the comma before the next value. */
function view(value: Json, depth: number, tail: string): Html {
  if (value === null || typeof value !== 'object') return html`${leaf(value)}${tail}`
  const isList = Array.isArray(value)
  const items: readonly (readonly [Html | string, Json])[] = isList
    ? value.map((item: Json) => ['', item] as const)
    : Object.entries(value).map(([name, item]) => [nameOf(name), item] as const)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return html`${open}${close}${tail}`
  const tailAt = (i: number) => (i < items.length - 1 ? ',' : '')
  return html`<details ${{ open: depth < OPEN_DEPTH }}><summary class="json-fold">${open}<span class="json-folded"> <span class="json-count">${items.length}</span> ${close}${tail}</span></summary>
<ul>${items.map(([name, item], i) => html`<li>${name}${view(item, depth + 1, tailAt(i))}</li>`)}</ul>${close}${tail}</details>`
}

function nameOf(name: string): Html {
  return html`<span class="json-name">${JSON.stringify(name)}</span>: `
}

function leaf(value: null | boolean | number | string): Html {
  return html`<span class="json-${typeof value === 'string' ? 'text' : 'value'}">${JSON.stringify(value)}</span>`
}
