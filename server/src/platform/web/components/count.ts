import { type Html, html } from '../html.ts'

const MOST_SHOWN = 99

/** A number in a badge: how many things need attention. `what` is for screen readers: "releases to review". Zero shows nothing. */
export function count(number: number, what: string): Html | false {
  if (number === 0) return false
  return html`<span class="count">${number > MOST_SHOWN ? `${MOST_SHOWN}+` : number}<span class="unseen"> ${what}</span></span>`
}
