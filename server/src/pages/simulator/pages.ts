import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { assetFolder } from '../../platform/web/assets.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import type { Ports } from '../../ports.ts'
import { device, screens } from './screens.ts'

const FILES = [
  ...['main.js', 'calls.js', 'keys.js', 'terminal.js', 'billing.js', 'idle.js', 'journal.js'],
  ...['screen.js', 'screens.js', 'words.js', 'simulator.css'],
]

const folder = assetFolder('simulator', new URL('./script/', import.meta.url), FILES)

/** What `/simulator` loads. */
export const SIMULATOR_ASSETS = folder.assets

const simulatorAsset = folder.pathOf

/** A terminal in the browser for trying out apps. The page needs no sign-in: its terminal has its own key. */
export function simulatorPages({ settings }: Pick<Ports, 'settings'>): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/simulator',
      name: 'showSimulator',
      operation: 'public',
      signIn: 'none',
      handle: async () =>
        shown(
          layout({
            title: 'Terminal simulator',
            head: html`<link rel="stylesheet" href="${simulatorAsset('simulator.css')}">
<script type="module" src="${simulatorAsset('main.js')}"></script>
`,
            main: html`<div ${{ class: 'simulator', 'data-simulator': true, 'data-audience': settings.baseUrl }}>
<h1>Terminal simulator</h1>
${device()}
${developersPane()}
</div>
${screens()}`,
          }),
          { sources: { 'frame-src': ["'self'"] } },
        ),
    }),
  ]
}

/** The simulator shows purchase pages above the app, as a terminal does. See README.md. */
export function framed(pages: readonly AnyPage[]): AnyPage[] {
  return pages.map(one => ({ ...one, mayBeFramed: true }))
}

/** The pane for app developers. */
function developersPane() {
  return html`<div class="pane">
<section>
<h2>What the app receives</h2>
<p class="fine" data-received-none>Nothing yet. Open an app on the terminal.</p>
<ol class="received" data-received></ol>
</section>
<section>
<h2 id="calls-title">Calls of the terminal</h2>
<p class="fine" data-calls-none>None yet. Newest first.</p>
<div class="calls-box" role="region" aria-labelledby="calls-title" tabindex="0"><table class="calls" data-calls-table hidden>
<thead><tr><th scope="col">Call</th><th scope="col">Answer</th><th scope="col">Request id</th></tr></thead>
<tbody data-calls></tbody>
</table></div>
</section>
</div>`
}
