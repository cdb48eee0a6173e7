import type { InvoiceLine } from '../core/invoice.ts'
import type { InvoiceTax } from '../core/tax.ts'
import { dayWords, moneyWords, taxWords } from '../platform/web/format.ts'

/**
 * The lines of a future invoice for a receipt. An added tax has its own line; a tax that the price contains
 * stands below the price.
 */
export function receiptLines(
  { lines, tax, currency }: { lines: readonly InvoiceLine[]; tax?: InvoiceTax; currency: string },
  timezone: string,
) {
  return lines.flatMap(line => {
    const { description: text, periodStart, periodEnd, amount, net, tax: taxAmount } = line
    const period = `${dayWords(periodStart, timezone)} to ${dayWords(periodEnd, timezone)}`
    if (tax === undefined || net === undefined || taxAmount === undefined) return [{ text, detail: period, amount }]
    if (tax.isReverseCharge) return [{ text, detail: `${period} · reverse charge: you owe the ${tax.name}`, amount }]
    if (tax.behavior === 'EXCLUSIVE')
      return [
        { text, detail: period, amount: net },
        { text: taxWords(tax), amount: taxAmount },
      ]
    const included = `includes ${moneyWords({ amount: taxAmount, currency })} of tax (${taxWords(tax)})`
    return [{ text, detail: `${period} · ${included}`, amount }]
  })
}
