import { html } from '../web/html.ts'
import type { Message } from './mail.ts'

export interface Letter {
  /** Becomes the Message-ID. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly sentences: readonly string[]
  readonly button: string
  /** The address of the button. */
  readonly url: string
}

/** A mail to a developer or an operator, as text and HTML. Equal input gives equal bytes. */
export function letter({ id, to, subject, sentences, button, url }: Letter): Message {
  const text = [...sentences, '', `${button}:`, url, ''].join('\n')
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title>
<style>
body { margin: 0; padding: 24px 12px; background: #f6f2ea; color: #1f1b16; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 520px; margin: 0 auto; padding: 28px; background: #fff; border-radius: 12px }
h1 { margin: 0 0 16px; font-size: 20px; text-wrap: balance }
.button { display: inline-block; margin: 12px 0; padding: 12px 20px; border-radius: 8px; background: #1f5c4a; color: #fff; text-decoration: none }
</style></head>
<body><main>
<h1>${subject}</h1>
${sentences.map(sentence => html`<p>${sentence}</p>`)}
<p><a class="button" href="${url}">${button}</a></p>
</main></body></html>`
  return { id, to, subject, text, html: page.text }
}
