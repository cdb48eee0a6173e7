import { type Html, html, type Part } from '../html.ts'

/** What is wrong, by the names of fields; '' is about the form as a whole. */
export type Problems = Readonly<Record<string, string>>

export interface FormOptions {
  /** `call.csrf`: without it the form is refused. */
  readonly csrf: string
  /** Default: the address of the page. */
  readonly action?: string
  /** Sent along unseen. */
  readonly hidden?: Readonly<Record<string, string>>
  readonly problems?: Problems
  readonly body: Part
}

/** A form that posts to us. What is wrong stands at its head as well, each a link to its field. */
export function form({ csrf, action, hidden = {}, problems = {}, body }: FormOptions): Html {
  return html`<form ${{ method: 'post', action, class: 'form', novalidate: true }}>
${Object.entries({ csrf, ...hidden }).map(([name, value]) => html`<input ${{ type: 'hidden', name, value }}>`)}
${problemList(problems)}
${body}
</form>`
}

/** A form that asks and changes nothing: what is entered stands in the address of the next page, so it holds no proof. */
export function question({
  action,
  problems = {},
  body,
}: Pick<FormOptions, 'problems' | 'body'> & { readonly action: string }): Html {
  return html`<form ${{ method: 'get', action, class: 'form', novalidate: true }}>
${problemList(problems)}
${body}
</form>`
}

function problemList(problems: Problems) {
  const all = Object.entries(problems)
  if (all.length === 0) return false
  const whole = problems[''] !== undefined && all.length === 1
  return html`<div class="notice bad" role="alert" tabindex="-1" data-problems>
<p class="notice-title">${whole ? problems[''] : 'Something needs another look'}</p>
${!whole && html`<ul>${all.map(([name, problem]) => html`<li>${name === '' ? problem : html`<a ${{ href: `#${name}` }}>${problem}</a>`}</li>`)}</ul>`}
</div>`
}
