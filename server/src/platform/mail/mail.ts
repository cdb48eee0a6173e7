import type { Logger } from 'pino'

/** Hands a message over to a relay. */
export interface Mail {
  /** Returns the answer of the relay. Rejects if the relay does not accept the message; the outbox sends it again later. */
  send(message: Message): Promise<string | undefined>
  /** False: no relay is configured, so optional mails are not stored. Default: true. */
  readonly isConfigured?: boolean
  close(): void
}

export interface Message {
  readonly to: string
  /** The sender's name. Absent: the name in TILLHOOK_MAIL_FROM. */
  readonly fromName?: string
  readonly subject: string
  /** Plain text. Lines end with \n. */
  readonly text: string
  readonly html?: string
  /** Becomes the Message-ID, so that a relay and a mailbox recognise a repeated message. Default: the id in the outbox. */
  readonly id?: string
}

/** For a development installation without a relay: the log shows each message and its links. */
export function createLogMail(log: Logger): Mail {
  return {
    async send({ html: _, ...message }) {
      log.info(message, 'mail, not sent: TILLHOOK_SMTP_URL is not set')
      return 'Shown in the log of the service.'
    },
    close: () => {},
  }
}

/** For a live installation without a relay: a link that opens an account must not appear in the log. The outbox reports the code. */
export function createUnconfiguredMail(): Mail {
  return {
    isConfigured: false,
    async send() {
      throw Object.assign(new Error(), { code: 'mail is not configured: set TILLHOOK_SMTP_URL and TILLHOOK_MAIL_FROM' })
    },
    close: () => {},
  }
}
