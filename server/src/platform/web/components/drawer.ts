import { type Html, html, type Part } from '../html.ts'
import { type ButtonLook, linkButton } from './form.ts'

/** A link to a separate page. Script shows the page beside the list, so that the list keeps its place. */
export function drawerLink(text: Part, href: string): Html {
  return html`<a ${{ href, 'data-opens': 'drawer' }}>${text}</a>`
}

/** A button that leads to a page with a `confirmation`. Script shows that page as a dialog. */
export function confirmLink(text: string, href: string, look: ButtonLook & { about?: string } = {}): Html {
  return linkButton(text, href, { ...look, opens: 'dialog' })
}
