import { linkButton } from './components/form.ts'
import { html } from './html.ts'
import { type Frame, layout, type View } from './layout.ts'
import { say, sayHtml, sayText } from './say.ts'
import type { Theme } from './surroundings.ts'

interface ErrorWords extends Pick<Frame, 'signedIn' | 'links'> {
  readonly status: number
  /** The message for people. */
  readonly message: string
  readonly requestId: string
  readonly theme?: Theme | undefined
}

/** An error in plain words, with the request id for support. */
export function errorPage({ status, message, requestId, signedIn, links = [], theme }: ErrorWords): View {
  const title = sayText(TITLES[status] ?? (status < 500 ? 'The request failed' : 'Something went wrong'))
  return layout({
    title,
    signedIn: signedIn ?? null,
    links,
    ...(theme && { theme }),
    width: 'narrow',
    main: html`<article class="message">
<p class="message-status">${status}</p>
<h1>${title}</h1>
<p class="lead">${sayText(message)}</p>
<p>${sayText(ADVICE[status] ?? 'Go back and try again. If it happens again, contact support.')}</p>
<p class="fine">${sayHtml`Reference for support: ${html`<code>${requestId}</code>`}`}</p>
<p>${linkButton(say`Go to the start page`, '/')}</p>
</article>`,
  })
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'You do not have access',
  404: 'Page not found',
  405: 'This page cannot be opened directly',
  413: 'The request is too large',
  429: 'One moment, please',
  503: 'Back in a moment',
}

const ADVICE: Readonly<Record<number, string>> = {
  403: 'You may be signed in with an account that has no access.',
  404: 'The link may be old or incomplete. Check it, or start from the start page.',
  405: 'Begin at the start page.',
  429: 'Wait a little, then try again.',
  500: 'The error is on our side, and nothing was changed. Try again in a moment.',
  503: 'Try again in a few seconds. Nothing was changed.',
}
