import { createTransport } from 'nodemailer'
import type { Mail } from './mail.ts'

/** A silent relay counts as unavailable. Short against the lease of a message (outbox.ts). */
const TIMEOUT_MS = 10_000

/** Sends by a relay: `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
export function createSmtpMail({ url, from }: { readonly url: string; readonly from: string }): Mail {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Tillhook's messages include no file and no web page.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'tillhook'
  return {
    async send({ to, fromName, subject, text, html, id }) {
      // nodemailer would parse a string as a list of addresses.
      const identity = id === undefined ? {} : { messageId: `<${id}@${domain}>` }
      const sender = fromName === undefined ? from : { name: fromName, address: addressOf(from) }
      const message = { from: sender, to: { name: '', address: to }, subject, text, ...identity }
      const { response } = await transport.sendMail(html === undefined ? message : { ...message, html })
      return response
    },
    close: () => transport.close(),
  }
}

/** `Name <address>` or `address`. */
function addressOf(from: string): string {
  return /<([^<>]+)>$/.exec(from)?.[1] ?? from
}
