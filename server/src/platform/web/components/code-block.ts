import { type Html, html } from '../html.ts'

/** A listing with a button that copies it. The button needs script. */
export function codeBlock(id: string, text: string, about: string): Html {
  return html`<div class="code-block"><button ${{ type: 'button', class: 'button plain small', 'data-copy': id, 'aria-label': `Copy ${about}` }}>Copy</button><pre class="listing"><code ${{ id }}>${text}</code></pre></div>`
}

interface CodeTab {
  /** "TypeScript", "Python": unlike the others. */
  readonly language: string
  readonly text: string
}

/** The same code in several languages, one at a time. The tabs are radio buttons: they work without script. */
export function codeTabs(id: string, about: string, tabs: readonly CodeTab[]): Html {
  return html`<fieldset class="code-tabs"><legend class="unseen">Language of ${about}</legend>${tabs.map(
    ({ language, text }, i) => html`
<input ${{ class: 'unseen', type: 'radio', name: id, id: `${id}-${i}`, checked: i === 0 }}><label for="${`${id}-${i}`}">${language}</label>
<div class="code-panel">${codeBlock(`${id}-${i}-code`, text, `${about} in ${language}`)}</div>`,
  )}
</fieldset>`
}
