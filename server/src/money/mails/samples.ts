import { type Brand, DEFAULT_BRAND } from '../../core/brand.ts'
import type { Language, MailKind } from '../../core/mail-kind.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { dayIn, moneyIn, renderMoneyMail } from './render.ts'
import { type MailFacts, WORDS } from './words/words.ts'

/** A mail with invented facts, for the operator's preview. */
export function sampleMail(
  kind: MailKind,
  language: Language,
  { brand = DEFAULT_BRAND, ...changed }: Partial<MailFacts> & { brand?: Brand } = {},
): Message {
  const day = (text: string) => dayIn(language, new Date(text), 'UTC')
  const money = moneyIn(language, 1_900, 'EUR')
  return renderMoneyMail({
    ...{ id: 'sample', kind, language, to: 'shop@example.com', business: 'Corner Shop' },
    ...{ brand, baseUrl: '', actionUrl: '/my/subscriptions', settingsUrl: '/my/business' },
    facts: {
      ...{ app: 'Table Planner', plan: 'Plus', money, number: '2026-000042', card: 'Visa •••• 4242' },
      price: `${money} ${WORDS[language].per.MONTH}`,
      ...{ day: day('2026-12-31T00:00:00Z'), retryDay: day('2026-12-03T00:00:00Z') },
      ...{ deadline: day('2026-12-09T00:00:00Z'), reason: 'NON_PAYMENT' },
      ...changed,
    },
  })
}
