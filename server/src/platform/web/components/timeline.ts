import { shortMoment } from '../format.ts'
import { type Html, html, type Part } from '../html.ts'
import type { Tone } from './content.ts'

export interface TimelineEntry {
  readonly at: Date
  readonly title: Part
  readonly detail?: Part
  readonly tone?: Tone
}

/** The events in the order of the list. The times are UTC. */
export function timeline(label: string, entries: readonly TimelineEntry[]): Html {
  return html`<ol class="timeline" aria-label="${label}">${entries.map(
    ({ at, title, detail, tone = 'plain' }) => html`
<li class="${tone}"><p class="timeline-title">${title}</p><p class="fine">${shortMoment(at)}</p>${detail && html`<div class="timeline-detail">${detail}</div>`}</li>`,
  )}
</ol>`
}
