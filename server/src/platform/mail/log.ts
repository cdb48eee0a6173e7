import type { Logger } from 'pino'
import type { Mail } from './mail.ts'

/** Where no relay is set: the operator reads the log, and hands on the link that is in it. */
export function createLogMail(log: Logger): Mail {
  return {
    async send({ to, subject, text }) {
      log.info({ to, subject, text }, 'mail, not sent: TILLHOOK_SMTP_URL is not set')
    },
    close: () => {},
  }
}
