import { readFileSync } from 'node:fs'
import { Marked } from 'marked'
import { type Html, trusted } from '../../platform/web/html.ts'

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

export type GuideName = (typeof GUIDES)[number]['name']

export interface Guide {
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
export function renderGuide(name: string): { readonly guide: Guide; readonly content: Html } | null {
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
