import { type Html, html } from '../html.ts'

/** Where somebody is on a way of a few pages. `current` counts from 0. */
export function steps(names: readonly string[], current: number): Html {
  return html`<ol class="steps">${names.map((name, i) => {
    const attributes = { class: i < current ? 'done' : undefined, 'aria-current': i === current ? 'step' : undefined }
    return html`<li ${attributes}>${name}${i < current && html`<span class="unseen"> (done)</span>`}</li>`
  })}</ol>`
}
