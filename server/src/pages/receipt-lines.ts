import type { InvoiceLine } from '../core/invoice.ts'
import type { InvoiceTax } from '../core/tax.ts'
import { dayWords, moneyWords, taxWords } from '../platform/web/format.ts'
import { say } from '../platform/web/say.ts'

/**
 * The lines of a future invoice for a receipt. An added tax has its own line; a tax that the price contains
 * stands below the price.
 */
export function receiptLines(
  { lines, tax, currency }: { lines: readonly InvoiceLine[]; tax?: InvoiceTax; currency: string },
  timezone: string,
) {
  return lines.flatMap(line => {
    const { kind, description, periodStart, periodEnd, amount, net, tax: taxAmount } = line
    const text = kind === 'CREDIT' ? say`Credit` : description
    const period = say`${dayWords(periodStart, timezone)} to ${dayWords(periodEnd, timezone)}`
    if (tax === undefined || net === undefined || taxAmount === undefined) return [{ text, detail: period, amount }]
    if (tax.isReverseCharge) return [{ text, detail: `${period} · ${say`${tax.name} (reverse charge)`}`, amount }]
    if (tax.behavior === 'EXCLUSIVE')
      return [
        { text, detail: period, amount: net },
        { text: taxWords(tax), amount: taxAmount },
      ]
    const included = say`includes ${moneyWords({ amount: taxAmount, currency })} of tax (${taxWords(tax)})`
    return [{ text, detail: `${period} · ${included}`, amount }]
  })
}
