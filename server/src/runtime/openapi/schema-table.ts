import { type Html, html } from '../../platform/web/html.ts'
import { withCode } from './inline-code.ts'
import type { Schema } from './openapi.ts'

/** A short description of a value. A named schema becomes a link. */
export function shapeOf(schema: Schema): Html {
  const { $ref, enum: values, anyOf, items } = schema
  if ($ref !== undefined) return link($ref)
  if (values !== undefined)
    return html`one of ${values.map(value => html`<code class="value">${String(value)}</code> `)}`
  if (anyOf !== undefined) return html`${anyOf.map((one, i) => html`${i > 0 && ' or '}${shapeOf(one)}`)}`
  if (items !== undefined) return html`array of ${shapeOf(items)}${bounds(schema.minItems, schema.maxItems, 'entries')}`
  return html`${schema.type ?? 'any value'}${limits(schema)}`
}

/** A table of an object's fields, with nested fields below their parents. Null for a schema without fields. */
export function fieldsTable(schema: Schema): Html | null {
  const rows = rowsOf(schema, '')
  return rows.length === 0 ? null : html`<table><tbody>${rows}</tbody></table>`
}

function rowsOf(schema: Schema, prefix: string): Html[] {
  const within = schema.items ?? schema
  const { properties = {}, required = [] } = within
  const path = schema.items === undefined || prefix === '' ? prefix : `${prefix.slice(0, -1)}[].`
  return Object.entries(properties).flatMap(([name, property]) => [
    row(`${path}${name}`, property, required.includes(name)),
    ...rowsOf(property, `${path}${name}.`),
  ])
}

function row(path: string, schema: Schema, isRequired: boolean): Html {
  return html`<tr>
<th scope="row"><code>${path}</code>${isRequired && html` <span class="required">required</span>`}</th>
<td>${shapeOf(schema)}${schema.description && html`<br>${withCode(schema.description)}`}</td>
</tr>`
}

function link($ref: string): Html {
  const name = $ref.split('/').at(-1) ?? ''
  return html`<a href="#schema-${name}">${name}</a>`
}

function limits({ type, minLength, maxLength, minimum, maximum }: Schema): Html | '' {
  return type === 'string' ? bounds(minLength, maxLength, 'characters') : bounds(minimum, maximum, '')
}

function bounds(least: number | undefined, most: number | undefined, unit: string): Html | '' {
  if (least === undefined && most === undefined) return ''
  if (least === undefined) return html`, at most ${most} ${unit}`
  return most === undefined ? html`, at least ${least} ${unit}` : html`, ${least} to ${most} ${unit}`
}
