import { readFileSync } from 'node:fs'
import { Marked } from 'marked'
import { Type } from 'typebox'
import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { asset } from '../../platform/web/assets.ts'
import { type Html, html, trusted } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'

/** The guides of docs/ as pages: `/guides` and `/guides/{name}`. Everybody may read them. */
export function guidePages(): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/guides',
      name: 'showGuides',
      operation: 'public',
      signIn: 'optional',
      handle: async call => show('index', call),
    }),
    page({
      method: 'GET',
      path: '/guides/:name',
      name: 'showGuide',
      operation: 'public',
      signIn: 'optional',
      params: Type.Object({ name: Type.String({ maxLength: 100 }) }),
      handle: async call => show(call.params.name, call),
    }),
  ]
}

type Call = Pick<Parameters<AnyPage['handle']>[0], 'session' | 'csrf'>

function show(name: string, { session, csrf }: Call) {
  const found = renderGuide(name)
  const signedIn = session && { ...session, csrf }
  const head = html`<link rel="stylesheet" href="${asset('guides.css')}">`
  if (found === null) {
    const main = html`<div class="guide">${contents(null)}<article><h1>No such guide</h1><p>The contents list every guide.</p></article></div>`
    return shown(layout({ title: 'No such guide', head, signedIn, main }), { status: 404 })
  }
  const { guide, content } = found
  const main = html`<div class="guide">${contents(guide)}<article>${content}${neighbours(guide)}</article></div>`
  return shown(layout({ title: guide.title, head, signedIn, main }))
}

function contents(current: Guide | null): Html {
  const groups = Map.groupBy(CONTENTS, ({ group }) => group)
  const list = html`${[...groups].map(
    ([group, guides]) => html`<h2>${group}</h2>
<ul>${guides.map(guide => html`<li><a ${{ href: guide.path, 'aria-current': guide === current ? 'page' : undefined }}>${guide.title}</a></li>`)}</ul>`,
  )}
<h2>Reference</h2>
<ul><li><a href="/docs">API reference</a></li><li><a href="/openapi.json">OpenAPI 3.1</a></li></ul>`
  return html`<nav class="guide-contents" aria-label="Guides">${list}</nav>
<details class="guide-menu"><summary>Guides</summary><nav aria-label="Guides">${list}</nav></details>`
}

function neighbours(guide: Guide): Html {
  const i = CONTENTS.indexOf(guide)
  const next = CONTENTS[i + 1]
  return html`${next && html`<p class="guide-next">Next: <a href="${next.path}">${next.title}</a></p>`}`
}

const DOCS = new URL('../../../../docs/', import.meta.url)

/** The guides in the order of the contents, by name: the file, the title in the contents. */
const GUIDES = [
  { group: 'Start', name: 'index', file: 'guides/README.md', title: 'Overview' },
  { group: 'Start', name: 'quickstart', file: 'guides/quickstart.md', title: 'Quickstart' },
  { group: 'Start', name: 'subscriptions', file: 'guides/subscriptions.md', title: 'Subscription lifecycle' },
  { group: 'Start', name: 'webhooks', file: 'guides/webhooks.md', title: 'Verifying webhooks' },
  { group: 'Start', name: 'api', file: 'guides/api.md', title: 'Calling the API' },
  { group: 'Start', name: 'cli', file: 'guides/cli.md', title: 'Command line' },
  { group: 'Start', name: 'sdks', file: 'guides/sdks.md', title: 'SDKs' },
  { group: 'Build', name: 'test-clocks', file: 'guides/test-clocks.md', title: 'Testing with clocks' },
  { group: 'Build', name: 'recipes', file: 'guides/recipes.md', title: 'Recipes' },
  { group: 'Build', name: 'terminal', file: 'guides/terminal.md', title: 'On the terminal' },
  { group: 'Build', name: 'going-live', file: 'guides/going-live.md', title: 'Going live' },
  { group: 'Operate', name: 'operating', file: 'operating.md', title: 'Operating' },
  { group: 'Operate', name: 'configuration', file: 'configuration.md', title: 'Configuration' },
  { group: 'Operate', name: 'security', file: 'guides/security.md', title: 'Security' },
  { group: 'Operate', name: 'migration', file: 'guides/migration.md', title: 'Migration' },
] as const

type GuideName = (typeof GUIDES)[number]['name']

interface Guide {
  readonly name: GuideName
  readonly title: string
  readonly group: string
  /** The path on this service. */
  readonly path: string
}

export const CONTENTS: readonly Guide[] = GUIDES.map(({ name, title, group }) => ({
  ...{ name, title, group, path: name === 'index' ? '/guides' : `/guides/${name}` },
}))

/** The guide as HTML. The first reader of a guide renders it. */
function renderGuide(name: string): { readonly guide: Guide; readonly content: Html } | null {
  const guide = CONTENTS.find(one => one.name === name)
  const source = GUIDES.find(one => one.name === name)
  if (guide === undefined || source === undefined) return null
  const content = rendered.get(guide.name) ?? trusted(render(source.file))
  rendered.set(guide.name, content)
  return { guide, content }
}

const rendered = new Map<GuideName, Html>()

function render(file: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      code({ text, lang = '' }) {
        const [language = ''] = lang.split(' ')
        return `<pre tabindex="0" data-language="${escaped(language)}"><code>${escaped(text)}</code></pre>\n`
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map((cell, i) => cellOf(this.parser.parseInline(cell.tokens), tag, token.header[i]?.text ?? '')).join('')
        const head = token.header.every(cell => cell.text === '')
          ? ''
          : `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
        const body = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="guide-table" tabindex="0" role="group" aria-label="Table">\n<table>${head}<tbody>${body}</tbody></table></div>\n`
      },
      checkbox: () => '',
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = hrefOf(href, file)
        return target === null ? text : `<a href="${escaped(target)}">${text}</a>`
      },
    },
  })
  return marked.parse(readFileSync(new URL(file, DOCS), 'utf8'), { async: false })
}

/** A column without a name has no header cell. Phones show the name of a column in each row. */
const cellOf = (content: string, tag: string, name: string) => {
  if (tag === 'th') return content === '' ? '<td></td>' : `<th>${content}</th>`
  return `<td data-label="${escaped(name)}">${content}</td>`
}

/** A link to a guide leads to its page. Other files of the repository are not served: null. */
function hrefOf(href: string, from: string): string | null {
  if (/^https?:|^#|^\//.test(href)) return href
  const { pathname, hash } = new URL(href, new URL(from, 'file:///'))
  const target = GUIDES.find(({ file }) => `/${file}` === pathname)
  return target === undefined ? null : `${target.name === 'index' ? '/guides' : `/guides/${target.name}`}${hash}`
}

/** The id that GitHub gives to a heading, so that links work in both places. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
