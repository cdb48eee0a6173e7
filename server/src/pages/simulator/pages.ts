import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { assetFolder } from '../../platform/web/assets.ts'
import { notice } from '../../platform/web/components/content.ts'
import { type ButtonLook, button, buttons, checkbox, textField } from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import type { Ports } from '../../ports.ts'

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

/** The frame of the terminal. */
export function device(): Html {
  return html`<section class="device" aria-label="Terminal">
<div class="bezel">
<div class="glass">
<div class="status-bar">
<p><strong data-terminal-name>New terminal</strong><span data-who></span></p>
${actButton('Lock', 'lock', { kind: 'quiet', size: 'small', hidden: true })}
</div>
<div class="screen-place" data-screen-place>
<noscript>${notice('warn', 'This page needs JavaScript', 'The simulator is a terminal in your browser: the page creates a key and calls the service. Switch JavaScript on.')}</noscript>
</div>
<div class="back-bar" data-back-bar hidden>${actButton('Back', 'back', { kind: 'quiet', size: 'small' })}</div>
</div>
</div>
</section>`
}

/** Templates of the terminal's screens, copied by the script. */
function screens(): Html {
  return html`${activation()}${signIn()}${setUpAgain()}${home()}${approval()}${app()}${purchase()}${cannotRun()}`
}

function screen(name: string, body: Html): Html {
  return html`<template data-screen="${name}">
${body}
</template>
`
}

function activation(): Html {
  return screen(
    'activation',
    html`<h2 tabindex="-1">Activate this terminal</h2>
<p>Type the activation code of the terminal. A code works once, within 15 minutes.</p>
${problemPlace()}
<form class="form">
${textField({ name: 'activationCode', label: 'Activation code', isCode: true, maxlength: 64, autocomplete: 'off' })}
${button('Activate', { kind: 'primary', size: 'large' })}
</form>`,
  )
}

function signIn(): Html {
  return screen(
    'sign-in',
    html`<h2 tabindex="-1">Sign in</h2>
${problemPlace()}
<form class="form">
${textField({ name: 'userId', label: 'User ID', maxlength: 64, autocomplete: 'off' })}
${textField({ name: 'passcode', label: 'Passcode', type: 'password', inputmode: 'numeric', maxlength: 64, autocomplete: 'off' })}
${button('Sign in', { kind: 'primary', size: 'large' })}
</form>
<p class="below">${actButton('Set up this terminal again', 'set-up-again', { kind: 'quiet', size: 'small' })}</p>`,
  )
}

function setUpAgain(): Html {
  return screen(
    'set-up-again',
    html`<h2 tabindex="-1">Set up this terminal again?</h2>
<p>This browser forgets which terminal it is. You need a new activation code to continue.</p>
<div class="buttons">${actButton('Forget this terminal', 'forget', { kind: 'danger' })}${actButton('Keep it', 'keep')}</div>`,
  )
}

function home(): Html {
  return screen(
    'home',
    html`<h2 tabindex="-1">Apps</h2>
<ul class="app-list" data-apps></ul>
<form class="form">
${textField({
  name: 'packageName',
  label: 'Open an app',
  hint: 'The package name, for example com.example.loyalty.',
  maxlength: 255,
  autocomplete: 'off',
})}
${button('Open', { kind: 'primary', size: 'large' })}
</form>`,
  )
}

function approval(): Html {
  return screen(
    'approval',
    html`<h2 tabindex="-1">Permissions</h2>
<p><strong data-package></strong> asks for:</p>
<ul data-permissions></ul>
${problemPlace()}
${buttons(actButton('Allow', 'allow', { kind: 'primary' }), actButton('Not now', 'not-now'))}`,
  )
}

function app(): Html {
  return screen(
    'app',
    html`<h2 tabindex="-1" data-package></h2>
<div role="status" tabindex="-1" data-outcome></div>
${problemPlace()}
<section><h3>Subscriptions</h3><p class="fine" data-subscriptions-none>Asking …</p><ul class="app-cards" data-subscriptions></ul></section>
<section><h3>Plans</h3><p class="fine" data-plans-none>Asking …</p><ul class="app-cards" data-plans></ul></section>
${buttons(actButton('getSubscriptions', 'get-subscriptions', { size: 'small' }), actButton('getPlans', 'get-plans', { size: 'small' }))}
<details class="by-hand"><summary>getBillingIntent by hand</summary>
<form class="form" data-by-hand>
${textField({ name: 'plan_id', label: 'plan_id', isOptional: true, maxlength: 64, autocomplete: 'off' })}
${checkbox({ name: 'replace', text: 'replace', detail: 'The plan replaces another plan.' })}
${checkbox({ name: 'restore', text: 'restore', detail: 'Undoes the cancellation of subscription_id.' })}
${textField({ name: 'subscription_id', label: 'subscription_id', isOptional: true, maxlength: 64, autocomplete: 'off' })}
${button('getBillingIntent')}
</form></details>`,
  )
}

function purchase(): Html {
  return screen(
    'purchase',
    html`<h2 class="unseen" tabindex="-1">Purchase screen</h2>
${problemPlace()}
<iframe title="Purchase screen" data-frame></iframe>`,
  )
}

/** https://developer.mozilla.org/docs/Web/Security/Secure_Contexts */
function cannotRun(): Html {
  return screen(
    'cannot-run',
    html`<h2 tabindex="-1">This address is not secure</h2>
<p>A terminal needs a key, and browsers create keys only on secure pages: pages by https, or pages at http://127.0.0.1 or
http://localhost. Open the simulator at such an address.</p>`,
  )
}

/** A button with an action name for the script; it sends no form. */
function actButton(
  text: string,
  act: string,
  { kind = 'plain', size, hidden }: ButtonLook & { readonly hidden?: true } = {},
): Html {
  const look = ['button', kind, ...(size ? [size] : [])].join(' ')
  return html`<button ${{ type: 'button', class: look, 'data-act': act, hidden }}>${text}</button>`
}

/** The place for a screen's error message. */
function problemPlace(): Html {
  return html`<div class="problem-place" role="alert" data-problem></div>`
}
