import type { User } from '../../core/user.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { say } from '../../platform/web/say.ts'

export function resetMail({ email, name }: Pick<User, 'email' | 'name'>, link: string): Message {
  return {
    to: email,
    subject: say`Choose a new password`,
    text: [
      say`Hello ${name},`,
      '',
      say`somebody asked for a new password for your account. If it was you, open this link within an hour:`,
      link,
      '',
      say`If it was not you, do nothing: your password stays as it is.`,
      '',
    ].join('\n'),
  }
}

export function passwordChangedMail({ email, name }: Pick<User, 'email' | 'name'>): Message {
  return {
    to: email,
    subject: say`Your password was changed`,
    text: [
      say`Hello ${name},`,
      '',
      say`the password of your account was changed, and you were signed out everywhere else.`,
      say`If it was not you, ask for a new password at once on the sign-in page.`,
      '',
    ].join('\n'),
  }
}
