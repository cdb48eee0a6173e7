import { Type } from 'typebox'
import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { formSamples } from './form-samples.ts'
import { samples } from './samples.ts'

/** The forms of the page lead nowhere, and so need no proof. */
const NO_TOKEN = 'none'

export function designPages(): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/design',
      name: 'showDesign',
      operation: 'public',
      signIn: 'none',
      query: Type.Object({ theme: Type.Optional(Type.Union([Type.Literal('light'), Type.Literal('dark')])) }),
      handle: async ({ query }) =>
        shown(
          layout({
            title: 'Design',
            ...(query.theme && { theme: query.theme }),
            signedIn: {
              person: { name: 'Ann Example', email: 'ann@example.com' },
              place: { name: 'Corner Café & Bakery' },
              csrf: NO_TOKEN,
            },
            links: [
              { href: '/design', text: 'Everything', isCurrent: true },
              { href: '/design?theme=light', text: 'Light' },
              { href: '/design?theme=dark', text: 'Dark' },
              { href: '/', text: 'Start page' },
            ],
            main: html`<h1>Design</h1>
<p class="lead">Every part that our pages are made of, in every state that it has.</p>
${[...samples(), ...formSamples(NO_TOKEN)].map(
  ({ title, body }) => html`<section class="section"><h2>${title}</h2>
${body}
</section>`,
)}`,
          }),
        ),
    }),
  ]
}
