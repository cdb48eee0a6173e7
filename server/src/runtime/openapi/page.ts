import { createHash } from 'node:crypto'
import { type Brand, DEFAULT_BRAND } from '../../core/brand.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { breakableName } from '../../platform/web/components/breakable.ts'
import { type Html, html, trusted } from '../../platform/web/html.ts'
import { brandMark } from '../../platform/web/layout.ts'
import type { Content, OpenApi, Operation, Parameter, Ref, Response, Schema } from './openapi.ts'
import { type Entry, samplesOf } from './samples.ts'
import { isOpen } from './security.ts'
import { STYLE } from './style.ts'

/** Filters the contents while a person types. The page works without it. */
const SCRIPT = `
const search = document.querySelector('input[type=search]')
search.hidden = false
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/)
  for (const group of document.querySelectorAll('nav details')) {
    let some = false
    for (const line of group.querySelectorAll('li')) {
      const text = line.dataset.text ?? line.textContent.toLowerCase()
      line.hidden = !words.every(word => text.includes(word))
      some ||= !line.hidden
    }
    group.hidden = !some
    if (search.value !== '') group.open = true
  }
})
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows the page's own style and script by their hashes, and nothing from elsewhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Renders the document as one page with the operator's name and logo. The page shows the operation or schema of the URL fragment. */
export function referencePage(document: OpenApi, brand: Brand = DEFAULT_BRAND): string {
  const { info, servers, tags, paths, components } = document
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method, path, operation })),
  )
  const groups = tags.map(tag => ({ ...tag, entries: entries.filter(one => one.operation.tags.includes(tag.name)) }))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${brand.name} API ${info.version}</title>
${trusted(`<style>${STYLE}</style>`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><a class="brand" href="/">${brandMark(brand)}<span>${brand.name}</span></a></header>
<nav aria-label="Contents">
<h1>${brand.name} API</h1>
<p><a href="#top">Overview</a> · <a href="/guides">Guides</a></p>
<input type="search" aria-label="Search operations and schemas" placeholder="Search" hidden>
${groups.map(
  group => html`<details open>
<summary>${group.name}</summary>
<ul>${group.entries.map(navLine)}</ul>
</details>`,
)}
<details>
<summary>Schemas</summary>
<ul>${Object.keys(components.schemas).map(name => html`<li><a href="#schema-${name}"><span>${breakableName(name)}</span></a></li>`)}</ul>
</details>
</nav>
<main id="content">
<section id="top">
<p class="version">Version ${info.version} · <a href="/openapi.json">openapi.json</a></p>
${info.description.split('\n\n').map(paragraph => html`<p>${withCode(paragraph)}</p>`)}
<dl class="servers">${servers.map(({ url, description }) => html`<dt><code>${url}</code></dt><dd>${description}</dd>`)}</dl>
${groups.map(({ name, description }) => html`<h2>${name}</h2>${description.split('\n\n').map(text => html`<p>${withCode(text)}</p>`)}`)}
</section>
${groups.map(
  group => html`<section class="group">
${group.entries.map(entry => operationSection(entry, document, group.name))}
</section>`,
)}
<section class="group">
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article class="schema" id="schema-${name}">
<h2>${name}</h2>
${schema.description && html`<p>${withCode(schema.description)}</p>`}
${fieldsTable(schema) ?? html`<p>${shapeOf(schema)}</p>`}
${schema.examples?.map(example)}
</article>`,
)}
</section>
</main>
${trusted(`<script>${SCRIPT}</script>`)}
</body>
</html>
`.text
}

function navLine({ method, path, operation }: Entry): Html {
  const text = `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase()
  return html`<li data-text="${text}"><a href="#${operation.operationId}"><span class="method ${method}">${method}</span> <span>${breakableName(operation.operationId)}</span></a></li>`
}

function operationSection(entry: Entry, document: OpenApi, group: string): Html {
  const { method, path, operation } = entry
  const { operationId, summary, requestBody } = operation
  const parameters = operation.parameters.map(one => resolve(one, document.components.parameters))
  return html`<article class="operation" id="${operationId}">
<p class="place">${group}</p>
<h2>${summary}</h2>
<p class="address"><span class="method ${method}">${method}</span> <code>${pathOf(path)}</code></p>
<p class="who">${whoMay(operation)}</p>
<h3>Request</h3>
${samplesOf(entry, document.servers[0]?.url ?? '').map(
  ({ language, code }, i) =>
    html`<details class="sample" ${{ name: `sample-${operationId}`, open: i === 0 }}><summary>${language}</summary><pre tabindex="0"><code>${code}</code></pre></details>`,
)}
${parametersTable(parameters)}
${requestBody && html`<h3>Body${!requestBody.required && html` <small>may be left out</small>`}</h3>${contentOf(requestBody.content)}`}
<h3>Answers</h3>
${answersOf(operation, document)}
</article>`
}

/** Errors that every operation shares. One line lists them, so the operation's own errors stand out. */
const AS_EVERYWHERE = new Set(['413', '415', '429', '500', '503'])

function answersOf({ responses, 'x-codes': codes = {} }: Operation, { components }: OpenApi): Html {
  const [usual = [], own = []] = [true, false].map(wanted =>
    Object.entries(responses).filter(([status, one]) => ('$ref' in one && AS_EVERYWHERE.has(status)) === wanted),
  )
  return html`<table class="answers"><tbody>
${own.map(([status, response]) => answerRow(status, resolve(response, components.responses), codes[status]))}
</tbody></table>
<p class="always">As everywhere: ${usual.map(
    ([status], i) => html`${i > 0 && ' · '}${status}&nbsp;<code>${codes[status]?.join(' ')}</code>`,
  )}</p>`
}

/** Lets a long path wrap at its slashes. */
function pathOf(path: string): Html {
  return html`${path.split('/').map((segment, i) => html`${i > 0 && html`/<wbr>`}${segment.startsWith('{') ? html`<var>${segment}</var>` : segment}`)}`
}

const CALLERS: Readonly<Record<string, string>> = {
  app: 'app',
  appOfBusiness: 'app within a business',
  merchant: 'merchant',
  terminal: 'terminal',
  developer: 'developer',
  operator: 'operator',
}

function whoMay({ security, 'x-rights': rights = {} }: Operation): Html {
  if (isOpen(security)) return html`No token needed.`
  const may = Object.entries(rights).filter(([, right]) => right !== 'none')
  return html`${may.map(([caller, right]) => html`<span class="right"><b>${CALLERS[caller] ?? caller}</b> ${right}</span> `)}`
}

function parametersTable(parameters: readonly Parameter[]): Html | null {
  // Every operation accepts the same headers, so the table leaves them out.
  const own = parameters.filter(one => one.in !== 'header' || one.name === 'Idempotency-Key')
  if (own.length === 0) return null
  return html`<h3>Parameters</h3>
<table><tbody>${own.map(
    ({ name, in: place, required, description, schema }) => html`<tr>
<th scope="row"><code>${name}</code>${required && html` <span class="required">required</span>`}</th>
<td><span class="place">${place}</span> ${shapeOf(schema)}${description && html`<br>${withCode(description)}`}</td>
</tr>`,
  )}</tbody></table>`
}

function answerRow(status: string, { description, content }: Response, codes?: readonly string[]): Html {
  const isError = Number(status) >= 400
  return html`<tr>
<th scope="row"><span class="status s${status.slice(0, 1)}">${status}</span></th>
<td>${withCode(description)}${!isError && content && html` · ${Object.entries(content).map(([type, { schema }]) => html`${shapeOf(schema)} <small>${type}</small>`)}`}
${codes && html`<ul class="codes">${codes.map(code => html`<li><code>${code}</code> ${messageOf(code)}</li>`)}</ul>`}</td>
</tr>`
}

function messageOf(code: string): string {
  return code in PROBLEMS ? PROBLEMS[code as keyof typeof PROBLEMS].message : ''
}

function contentOf(content: Content): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, example: body }]) =>
      html`<p>${shapeOf(schema)} <small>${type}</small></p>${fieldsTable(schema)}${body !== undefined && (type === FORM_TYPE ? formExample(body) : example(body))}`,
  )}`
}

function example(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

function formExample(fields: unknown): Html {
  const text = new URLSearchParams(fields as Record<string, string>).toString().replaceAll('&', '\n&')
  return html`<pre tabindex="0"><code>${text}</code></pre>`
}

function resolve<T extends object>(one: T | Ref, named: Readonly<Record<string, T>>): T {
  if (!('$ref' in one)) return one
  const found = named[one.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`${one.$ref} is not in the document`)
  return found
}

/** A short description of a value. A named schema becomes a link. */
function shapeOf(schema: Schema): Html {
  const { $ref, enum: values, anyOf, items } = schema
  if ($ref !== undefined) return link($ref)
  if (values !== undefined)
    return html`one of ${values.map(value => html`<code class="value">${String(value)}</code> `)}`
  if (anyOf !== undefined) return html`${anyOf.map((one, i) => html`${i > 0 && ' or '}${shapeOf(one)}`)}`
  if (items !== undefined) return html`array of ${shapeOf(items)}${bounds(schema.minItems, schema.maxItems, 'entries')}`
  return html`${schema.type ?? 'any value'}${limits(schema)}`
}

/** A table of an object's fields, with nested fields below their parents. Null for a schema without fields. */
function fieldsTable(schema: Schema): Html | null {
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

/** Text in which backticks mark code, as in the descriptions of the OpenAPI document. */
function withCode(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
