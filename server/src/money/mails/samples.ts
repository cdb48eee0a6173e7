import { type Brand, DEFAULT_BRAND } from '../../core/brand.ts'
import type { Language, MailKind } from '../../core/mail-kind.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { dayWords, everyWords, moneyWords } from '../../platform/web/format.ts'
import { inLanguage } from '../../platform/web/say.ts'
import { renderMoneyMail } from './render.ts'
import type { MailFacts } from './words.ts'

/** A mail with invented facts, for the operator's preview. */
export function sampleMail(
  kind: MailKind,
  language: Language,
  { brand = DEFAULT_BRAND, ...changed }: Partial<MailFacts> & { brand?: Brand } = {},
): Message {
  const facts = inLanguage(language, () => {
    const money = moneyWords({ amount: 1_900, currency: 'EUR' })
    return {
      ...{ app: 'Table Planner', plan: 'Plus', money, number: '2026-000042', card: 'Visa •••• 4242' },
      price: `${money} ${everyWords({ interval: 'MONTH', intervalCount: 1 })}`,
      day: dayWords(new Date('2026-12-31')),
      retryDay: dayWords(new Date('2026-12-03')),
      deadline: dayWords(new Date('2026-12-09')),
      reason: 'NON_PAYMENT' as const,
    }
  })
  return renderMoneyMail({
    ...{ id: 'sample', kind, language, to: 'shop@example.com', business: 'Corner Shop' },
    ...{ brand, baseUrl: '', actionUrl: '/my/subscriptions', settingsUrl: '/my/business' },
    facts: { ...facts, ...changed },
  })
}
