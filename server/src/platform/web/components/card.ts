import { type Html, html, type Part } from '../html.ts'

/** One thing among others, under its own name. */
export function card({ title, badge, body }: { title: string; badge?: Html; body: Part }): Html {
  return html`<section class="card">
<div class="card-head"><h2>${title}</h2>${badge}</div>
${body}
</section>`
}

/** Several things side by side where there is room. */
export function cards(items: readonly Html[]): Html {
  return html`<ul class="cards">${items.map(item => html`<li>${item}</li>`)}</ul>`
}

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

/** A state in a word. The word alone says it; the colour only helps. */
export function badge(text: string, tone: Tone = 'plain'): Html {
  return html`<span class="badge ${tone}">${text}</span>`
}

export interface AppFace {
  readonly name: string
  readonly developer: string
  /** An address of ours, or an image as data. Absent: its first letter. */
  readonly iconUrl?: string
}

/** An app as merchants know it: picture, name, who makes it. `level` is that of its name among the headings. */
export function appFace({ name, developer, iconUrl }: AppFace, level: 1 | 2 | 3 = 2): Html {
  const icon =
    iconUrl === undefined
      ? html`<span class="app-icon" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</span>`
      : html`<img ${{ class: 'app-icon', src: iconUrl, alt: '', width: 52, height: 52 }}>`
  return html`<div class="app">${icon}<div>${headingOf(level, name)}<p class="fine">by ${developer}</p></div></div>`
}

function headingOf(level: 1 | 2 | 3, text: string): Html {
  if (level === 1) return html`<h1>${text}</h1>`
  return level === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`
}
