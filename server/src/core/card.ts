/** The card behind a payment method, as far as the gateway describes the card. */
export interface Card {
  /** As the gateway names the brand: `visa`, `mastercard`. */
  readonly brand: string
  readonly last4: string
  /** `YYYY-MM`: the last month in which the card is valid. */
  readonly expires: string
}

/** EXPIRED: after the last month. EXPIRING: the last month has begun, or begins within 30 days. */
export type CardStanding = 'VALID' | 'EXPIRING' | 'EXPIRED'

const WARNING_DAYS = 30

/** A card is valid until its last month ends in UTC. */
export function cardStanding({ expires }: Pick<Card, 'expires'>, now: Date): CardStanding {
  const begins = Date.parse(`${expires}-01T00:00:00Z`)
  const endsAt = new Date(begins)
  endsAt.setUTCMonth(endsAt.getUTCMonth() + 1)
  if (now >= endsAt) return 'EXPIRED'
  return now.getTime() >= begins - WARNING_DAYS * 86_400_000 ? 'EXPIRING' : 'VALID'
}

/** A card from the parts that gateways send, or undefined where a part is missing. */
export function cardOf(of: { brand?: string; last4?: string; month?: number; year?: number }): Card | undefined {
  const { brand, last4, month, year } = of
  if (brand === undefined || month === undefined || year === undefined || !/^\d{4}$/.test(last4 ?? '')) return undefined
  return { brand, last4: last4 ?? '', expires: `${year}-${String(month).padStart(2, '0')}` }
}
