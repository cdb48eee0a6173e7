import { type Html, html, type Part } from '../html.ts'
import { breadcrumb, type Crumb } from './breadcrumb.ts'
import { breakable } from './breakable.ts'
import { menu as menuOf } from './menu.ts'

interface PageHead {
  readonly title: string
  /** The pages above this page. */
  readonly above?: readonly Crumb[]
  readonly badge?: Part
  readonly lead?: Part
  /** At most two buttons. */
  readonly actions?: Part
  /** Links and forms for rarer actions, in a menu. */
  readonly more?: readonly Html[]
}

/** The top of a page: the way back, the title with its state, and the actions. */
export function pageHead({ title, above = [], badge, lead, actions, more = [] }: PageHead): Html {
  const menu = more.length > 0 && menuOf({ summary: 'More', items: more })
  return html`${breadcrumb(above)}
<div class="page-head"><div><h1>${breakable(title)}</h1>
${(badge || lead) && html`<p class="lead">${badge}${badge && lead && ' '}${lead}</p>`}</div>
${(actions || menu) && html`<div class="buttons">${actions}${menu}</div>`}</div>`
}

/** The content of a page with its facts beside it; below it where the screen is narrow. */
export function withDetails(content: Part, details: Part): Html {
  return html`<div class="with-details"><div>${content}</div>
<section class="details" aria-label="Details"><h2>Details</h2>${details}</section></div>`
}
