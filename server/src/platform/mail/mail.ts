import type { Logger } from 'pino'

/** Hands a message over to a relay. Rejects if the relay does not accept it; the outbox sends it again later. */
export interface Mail {
  send(message: Message): Promise<void>
  close(): void
}

export interface Message {
  readonly to: string
  readonly subject: string
  /** Plain text. Lines end with \n. */
  readonly text: string
}

/** For a development installation without a relay: the log shows each message and its links. */
export function createLogMail(log: Logger): Mail {
  return {
    send: async message => log.info(message, 'mail, not sent: TILLHOOK_SMTP_URL is not set'),
    close: () => {},
  }
}

/** For a live installation without a relay: a link that opens an account must not stand in the log. The outbox reports the code. */
export function createUnconfiguredMail(): Mail {
  return {
    async send() {
      throw Object.assign(new Error(), { code: 'mail is not configured: set TILLHOOK_SMTP_URL and TILLHOOK_MAIL_FROM' })
    },
    close: () => {},
  }
}
