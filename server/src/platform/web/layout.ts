import { BRAND_LINKS, type Brand, type BrandLink, DEFAULT_BRAND } from '../../core/brand.ts'
import { logoPath, stylePath } from '../brand/paths.ts'
import { asset, BUILD, PAGE_SCRIPTS } from './assets.ts'
import { count } from './components/count.ts'
import { button } from './components/form.ts'
import { menu } from './components/menu.ts'
import { shortTime } from './format.ts'
import { type Html, html } from './html.ts'
import { STOP_VIEWING_PATH } from './navigation.ts'
import { english, htmlLanguage, say, sayHtml, sayText } from './say.ts'
import { scriptWords } from './script-words.ts'
import { type Mode, type Surroundings, surroundings, type Theme } from './surroundings.ts'

export interface Frame {
  /** Of the page; the name of the brand is added. */
  readonly title: string
  readonly main: Html
  /** `en`: the content has no translation, in any language of the frame. */
  readonly mainLanguage?: 'en'
  /** Elements for this page's head only. */
  readonly head?: Html | undefined
  /** The signed-in person and workspace. */
  readonly signedIn?: SignedIn | null
  readonly links?: readonly NavLink[]
  /** Default: as the reader's machine is. */
  readonly theme?: Theme
  /** `narrow`: a form or a message; `wide`: tables. */
  readonly width?: 'narrow' | 'wide'
  /** Seconds between refreshes of a waiting page, by script where possible. Changes are announced. */
  readonly refreshSeconds?: number | undefined
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
  /** The heading above the link in the sidebar. */
  readonly group?: string
}

/** A whole page, drawn once the brand is known. */
export type View = (brand: Brand) => Html

/** The shared frame around a page's content. The page server draws the view with the current brand. */
export function layout(frame: Frame): View {
  return brand => draw(frame, brand)
}

function draw(
  {
    title,
    main,
    mainLanguage,
    head,
    signedIn,
    links = [],
    width = 'wide',
    theme,
    refreshSeconds,
    isTill = false,
  }: Frame,
  brand: Brand,
): Html {
  const around = surroundings()
  const hasPages = links.length > 0
  const look = { class: bodyClass({ isTill, hasPages }), 'data-visit': hasPages && head === undefined }
  return html`<!doctype html>
<html ${{ lang: htmlLanguage(), 'data-theme': theme ?? around.theme, 'data-build': BUILD }}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${brand.name}</title>
${favicon(brand)}
${STYLES.map(
  name => html`<link rel="stylesheet" href="${asset(name)}">
`,
)}${
  brand.accent !== undefined &&
  html`<link rel="stylesheet" href="${stylePath(brand.accent)}">
`
}${PAGE_SCRIPTS.map(
  path => html`<script type="module" src="${path}"></script>
`,
)}${refreshSeconds !== undefined && refresh(refreshSeconds)}${head}</head>
<body ${look}>
<a class="skip" href="#main">${say`Skip to the content`}</a>
<header class="top">
<div class="top-row">
${isTill ? html`<p class="brand">${brandMark(brand)}<span>${brand.name}</span></p>` : html`<a class="brand" href="/">${brandMark(brand)}<span>${brand.name}</span></a>`}
${signedIn?.csrf !== undefined && workspaceMenu(signedIn.csrf, around)}
${hasPages && searchBox()}
${signedIn?.csrf !== undefined && hasPages && around.mode !== undefined && around.viewing === undefined && modeSwitch(signedIn.csrf, around.mode, around)}
${hasPages && signedIn?.csrf !== undefined && bell(links, around)}
${signedIn && accountMenu(signedIn, hasPages, around)}
</div>
${around.viewing && viewingBanner(around.viewing)}
${hasPages && html`<details class="phone-menu"><summary>${say`Menu`}${count(waitingOf(links, around).total, say`need attention`)}</summary><p><a href="/search">${say`Search`}</a></p>${pages(links, around)}</details>`}
${hasPages && around.mode === 'test' && html`<p class="test-stripe"><strong>${say`Test data.`}</strong> ${say`Lists show test merchants. No real money moves.`}</p>`}
</header>
<div class="shell">
${hasPages && html`<div class="side">${pages(links, around)}</div>`}
<main ${{ id: 'main', lang: mainLanguage, class: width, tabindex: -1, 'data-refresh': refreshSeconds }}>
${main}
</main>
</div>
${!isTill && footer(brand)}
<div ${{ id: 'announcements', class: 'unseen', role: 'status', 'data-words': scriptWords() }}></div>
</body>
</html>
`
}

function viewingBanner({ name, endsAt, csrf }: NonNullable<Surroundings['viewing']>): Html {
  return html`<form method="post" action="${STOP_VIEWING_PATH}" class="viewing-banner" aria-label="${say`Read-only view`}"><p>${sayHtml`You see ${html`<strong>${name}</strong>`} as a viewer until ${shortTime(endsAt)} UTC. Nothing can be changed.`}</p><input type="hidden" name="csrf" value="${csrf}">${button(say`Stop seeing as`, { size: 'small' })}</form>`
}

const STYLES = ['tokens.css', 'base.css', 'components.css', 'dashboard.css', 'till.css'] as const

/** Without script. With script, `refresh.js` puts newer content in place. */
function refresh(seconds: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>
`
}

/** The operator's logo, else the first letter of the name. Decorative, because the name follows. */
export function brandMark({ name, logo }: Brand): Html {
  if (logo !== undefined) return html`<img class="mark" src="${logoPath(logo)}" width="28" height="28" alt="">`
  if (name !== DEFAULT_BRAND.name) {
    const [letter = ''] = name.trim().toUpperCase()
    return html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect class="mark-ground" width="24" height="24" rx="6"/><text class="mark-letter" x="12" y="17" text-anchor="middle">${letter}</text></svg>`
  }
  return html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect class="mark-ground" width="24" height="24" rx="6"/><path class="mark-line" d="M6.5 7h11M12 7v7.2a2.9 2.9 0 0 1-5.8 0"/></svg>`
}

function favicon({ logo }: Brand): Html {
  if (logo === undefined) return html`<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">`
  return html`<link rel="icon" href="${logoPath(logo)}" type="${logo.contentType}">`
}

export const BRAND_LINK_TEXTS: Readonly<Record<BrandLink, string>> = {
  supportUrl: english('Support'),
  termsUrl: english('Terms'),
  privacyUrl: english('Privacy'),
  imprintUrl: english('Imprint'),
}

function footer(brand: Brand): Html {
  const links = BRAND_LINKS.flatMap(link => {
    const href = brand[link]
    return href === undefined ? [] : [html` · <a href="${href}">${sayText(BRAND_LINK_TEXTS[link])}</a>`]
  })
  return html`<footer class="bottom"><p>${brand.name} · ${say`Subscriptions for point-of-sale apps`}${links}</p></footer>`
}

/** Pages with a sidebar use the whole width. */
function bodyClass({ isTill, hasPages }: { readonly isTill: boolean; readonly hasPages: boolean }): string | undefined {
  if (isTill) return 'till'
  return hasPages ? 'with-side' : undefined
}

/** With several workspaces a menu of them; the last entry is the page that works everywhere. */
function workspaceMenu(csrf: string, around: Surroundings): Html | false {
  const { workspaces } = around
  if (workspaces.length < 2 || around.viewing !== undefined) return false
  const name = workspaces.find(({ isCurrent }) => isCurrent)?.name ?? say`Workspace`
  const items = workspaces
    .slice(0, MOST_WORKSPACES)
    .map(
      ({ membershipId, name, isCurrent }) =>
        html`<button ${{ type: 'submit', class: 'button quiet', name: 'membershipId', value: membershipId, 'aria-current': isCurrent ? 'true' : undefined }}>${sayText(name)}</button>`,
    )
  return menu({
    summary: html`<span class="unseen">${say`Workspace:`} </span><span>${name}</span>`,
    look: 'workspace-menu',
    summaryLook: '',
    items: [
      html`<form method="post" action="/choose-workspace"><input type="hidden" name="csrf" value="${csrf}">${items}</form>`,
      html`<a href="/choose-workspace">${say`All workspaces`}</a>`,
    ],
  })
}

/** More are on the page of all workspaces. */
const MOST_WORKSPACES = 8

/** Without script a form; with script the keys `/` and Ctrl K open the results above the page. */
function searchBox(): Html {
  return html`<form class="search-box" method="get" action="/search" role="search" data-search><input class="input" type="search" name="q" aria-label="${say`Search`}" placeholder="${say`Search`}" maxlength="200" autocomplete="off"><kbd aria-hidden="true">/</kbd></form>`
}

function modeSwitch(csrf: string, mode: Mode, { address }: Surroundings): Html {
  const choice = (value: Mode, text: string) =>
    html`<button ${{ type: 'submit', name: 'mode', value, 'aria-pressed': String(mode === value) }}>${text}</button>`
  return html`<form class="switch mode-switch" method="post" action="/mode" aria-label="${say`Data`}"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="next" value="${address}">${choice('live', say`Live`)}${choice('test', say`Test`)}</form>`
}

const THEMES = { auto: english('Auto'), light: english('Light'), dark: english('Dark') } as const

function themeSwitch(csrf: string, { address, theme }: Surroundings): Html {
  const choice = ([value, text]: [string, string]) =>
    html`<button ${{ type: 'submit', name: 'theme', value, 'aria-pressed': String(value === (theme ?? 'auto')) }}>${sayText(text)}</button>`
  return html`<form class="switch" method="post" action="/theme" aria-label="${say`Theme`}"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="next" value="${address}">${Object.entries(THEMES).map(choice)}</form>`
}

/** The pages where something needs attention, with the numbers of the sidebar. A phone shows the sum beside "Menu". */
function bell(links: readonly NavLink[], around: Surroundings): Html {
  const { waiting, total } = waitingOf(links, around)
  return menu({
    summary: html`<span class="unseen">${say`Needs attention:`} </span>${BELL}${total > 0 ? count(total, '') : html`<span class="unseen">${say`nothing`}</span>`}`,
    look: 'bell',
    summaryLook: '',
    items:
      total === 0
        ? [html`<p>${say`Nothing needs your attention.`}</p>`]
        : waiting.map(
            ({ href, text, number, what }) => html`<a href="${href}">${text}${count(number, sayText(what))}</a>`,
          ),
  })
}

const BELL = html`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M4.5 14h11l-1.4-2V8.6a4.1 4.1 0 0 0-8.2 0V12zM8.3 16.5a1.8 1.8 0 0 0 3.4 0"/></svg>`

function waitingOf(links: readonly NavLink[], { counts }: Surroundings) {
  const waiting = links.flatMap(({ href, text }) => {
    const badge = counts[href]
    return badge !== undefined && badge.number > 0 ? [{ href, text, ...badge }] : []
  })
  return { waiting, total: waiting.reduce((sum, { number }) => sum + number, 0) }
}

/** Workspace and person; with a CSRF token also the ways to the account, to another workspace and out. */
function accountMenu({ person, workspace, csrf }: SignedIn, hasPages: boolean, around: Surroundings): Html {
  const who = html`<strong dir="auto">${workspace.name}</strong><span dir="auto" title="${person.email}">${person.name}</span>`
  if (csrf === undefined) return html`<div class="who"><p>${who}</p></div>`
  return menu({
    summary: html`<span class="unseen">${say`Account menu:`} </span><span class="avatar" aria-hidden="true">${[...person.name][0]?.toUpperCase()}</span><span class="who-names">${who}</span>`,
    look: 'who',
    summaryLook: '',
    items: [
      html`<p class="fine"><strong>${workspace.name}</strong><br>${person.email}</p>`,
      ...(around.viewing === undefined ? ownWays(csrf, hasPages, around) : []),
      html`<form method="post" action="/sign-out"><input type="hidden" name="csrf" value="${csrf}">${button(say`Sign out`, { kind: 'quiet', size: 'small' })}</form>`,
    ],
  })
}

function ownWays(csrf: string, hasPages: boolean, around: Surroundings): (Html | false)[] {
  return [
    hasPages && html`<a href="/account">${say`Your account`}</a>`,
    html`<a href="/choose-workspace">${say`Switch workspace`}</a>`,
    themeSwitch(csrf, around),
  ]
}

/** The pages of the workspace by group. A phone shows the same list in a menu; CSS hides one of the two. */
function pages(links: readonly NavLink[], { counts }: Surroundings): Html {
  const groups: { readonly name: string | undefined; readonly links: NavLink[] }[] = []
  for (const link of links) {
    const last = groups.at(-1)
    if (last !== undefined && last.name === link.group) last.links.push(link)
    else groups.push({ name: link.group, links: [link] })
  }
  return html`<nav class="pages" aria-label="${say`Pages`}">${groups.map(
    ({ name, links }) =>
      html`${name !== undefined && html`<p>${name}</p>`}<ul>${links.map(link => navLink(link, counts[link.href]))}</ul>`,
  )}</nav>`
}

function navLink({ href, text, isCurrent = false }: NavLink, badge: Surroundings['counts'][string] | undefined): Html {
  return html`<li><a ${{ href, 'aria-current': isCurrent ? 'page' : undefined }}>${text}${badge && count(badge.number, sayText(badge.what))}</a></li>`
}
