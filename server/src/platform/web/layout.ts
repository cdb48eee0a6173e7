import { asset } from './assets.ts'
import { button } from './components/form.ts'
import { type Html, html } from './html.ts'

interface Frame {
  /** Of the page; the name of the product is added. */
  readonly title: string
  readonly main: Html
  /** Elements for this page's head only. */
  readonly head?: Html
  /** The signed-in person and workspace. */
  readonly signedIn?: SignedIn | null
  readonly links?: readonly NavLink[]
  /** Default: as the reader's machine is. */
  readonly theme?: 'light' | 'dark'
  /** `narrow`: a form or a message; `wide`: tables. */
  readonly width?: 'narrow' | 'wide'
  /** Seconds between refreshes of a waiting page, by script where possible. Changes are announced. */
  readonly refreshSeconds?: number
  /** A screen within something else, as a terminal shows it: no way but the page's own buttons, and no room to waste. */
  readonly isTill?: boolean
}

export interface SignedIn {
  readonly person: { readonly name: string; readonly email: string }
  readonly workspace: { readonly name: string }
  /** For the sign-out button. Absent: no button. */
  readonly csrf?: string
}

export interface NavLink {
  readonly href: string
  readonly text: string
  readonly isCurrent?: boolean
}

/** A whole page: the shared frame around the page's content. */
export function layout({
  title,
  main,
  head,
  signedIn,
  links = [],
  width = 'wide',
  theme,
  refreshSeconds,
  isTill = false,
}: Frame): Html {
  return html`<!doctype html>
<html ${{ lang: 'en', 'data-theme': theme }}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tillhook</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
${STYLES.map(
  name => html`<link rel="stylesheet" href="${asset(name)}">
`,
)}<script type="module" src="${asset('page.js')}"></script>
${refreshSeconds !== undefined && refresh(refreshSeconds)}${head}</head>
<body ${{ class: isTill ? 'till' : undefined }}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="top-row">
${isTill ? html`<p class="brand">${mark()}<span>Tillhook</span></p>` : html`<a class="brand" href="/">${mark()}<span>Tillhook</span></a>`}
${signedIn && whoAndWhere(signedIn)}
</div>
${links.length > 0 && html`<nav class="tabs" aria-label="Pages"><ul>${links.map(navLink)}</ul></nav>`}
</header>
<main ${{ id: 'main', class: width, tabindex: -1, 'data-refresh': refreshSeconds }}>
${main}
</main>
${!isTill && html`<footer class="bottom"><p>Tillhook · Subscriptions for point-of-sale apps</p></footer>`}
<div id="announcements" class="unseen" role="status"></div>
</body>
</html>
`
}

const STYLES = ['tokens.css', 'base.css', 'components.css', 'till.css'] as const

function refresh(seconds: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>
<script type="module" src="${asset('refresh.js')}"></script>
`
}

/** The logo: a till's drawer with a hook of paper above. Decorative: the name stands beside it. */
function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect class="mark-ground" width="24" height="24" rx="6"/><path class="mark-line" d="M6.5 7h11M12 7v7.2a2.9 2.9 0 0 1-5.8 0"/></svg>`
}

function whoAndWhere({ person, workspace, csrf }: SignedIn): Html {
  return html`<div class="who">
<p><strong>${workspace.name}</strong><span title="${person.email}">${person.name}</span></p>
${csrf !== undefined && html`<form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}">${button('Sign out', { kind: 'quiet', size: 'small' })}</form>`}
</div>`
}

function navLink({ href, text, isCurrent = false }: NavLink): Html {
  return html`<li><a ${{ href, 'aria-current': isCurrent ? 'page' : undefined }}>${text}</a></li>`
}
