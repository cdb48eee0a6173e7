import { createTransport } from 'nodemailer'
import type { Mail } from './mail.ts'

/** A relay that says nothing for so long is away. Short against the lease of a message (mails/send.ts). */
const ANSWERS_WITHIN_MS = 10_000

/** By a relay: `smtp://user:password@host:587`, or `smtps://` where TLS comes first. */
export function createSmtpMail({ url, from }: { readonly url: string; readonly from: string }): Mail {
  const transport = createTransport({
    url,
    connectionTimeout: ANSWERS_WITHIN_MS,
    greetingTimeout: ANSWERS_WITHIN_MS,
    socketTimeout: ANSWERS_WITHIN_MS,
    // Nothing of ours names a file or an address to be read into a message.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text }) {
      // As an object: an address is never parsed as a list of them.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    close: () => transport.close(),
  }
}
