import { Type } from 'typebox'
import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { asset } from '../../platform/web/assets.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { CONTENTS, type Guide, renderGuide } from './guides.ts'

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
