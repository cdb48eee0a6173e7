import { linkButton } from './components/form.ts'
import { type Html, html } from './html.ts'
import { layout, type SignedIn } from './layout.ts'

interface ErrorWords {
  readonly status: number
  /** What happened, for a person. */
  readonly message: string
  readonly requestId: string
  readonly signedIn?: SignedIn | null
}

/** Whatever was refused or failed, in words for people, with what to tell whoever is asked for help. */
export function errorPage({ status, message, requestId, signedIn }: ErrorWords): Html {
  const title = TITLES[status] ?? (status < 500 ? 'That did not work' : 'Something went wrong')
  return layout({
    title,
    signedIn: signedIn ?? null,
    width: 'narrow',
    main: html`<article class="message">
<p class="message-status">${status}</p>
<h1>${title}</h1>
<p class="lead">${message}</p>
<p>${ADVICE[status] ?? 'Go back and try again. If it happens again, ask whoever runs this service.'}</p>
<p class="fine">Reference for support: <code>${requestId}</code></p>
<p>${linkButton('Go to the start page', '/')}</p>
</article>`,
  })
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'You cannot do this here',
  404: 'There is nothing here',
  405: 'This page opens another way',
  413: 'That was too much at once',
  429: 'One moment, please',
  503: 'Back in a moment',
}

const ADVICE: Readonly<Record<number, string>> = {
  403: 'You may be signed in with another account than the one that has access.',
  404: 'The link may be old or incomplete. Check it, or start from the start page.',
  405: 'It cannot be opened by its address alone. Start from the start page.',
  429: 'Wait a little, then try again.',
  500: 'It is not your fault. Nothing was changed half way. Try again in a moment.',
  503: 'Try again in a few seconds. Nothing was changed half way.',
}
