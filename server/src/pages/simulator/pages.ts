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

/** A terminal in the browser, by which apps are tried out. Nobody signs in to the page: its terminal has a key of its own. */
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

/** README.md says why: the simulator shows them above the app, as a terminal does. */
export function framed(pages: readonly AnyPage[]): AnyPage[] {
  return pages.map(one => ({ ...one, mayBeFramed: true }))
}

/** Beside the terminal, and for who writes an app for it. */
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
