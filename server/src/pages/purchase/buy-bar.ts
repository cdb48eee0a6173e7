import type { PurchasePreview } from '../../core/preview.ts'
import { button, linkButton } from '../../platform/web/components/button.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { moneyWords } from '../../platform/web/money.ts'
import type { Till } from './till.ts'

/** What is charged at once, and the two ways on. It stays in sight however small the screen is. */
export function buyBar(
  { purchase: { kind }, paymentMethods, path }: Till,
  { amount, currency }: PurchasePreview,
): Html {
  const needsCard = amount > 0 && paymentMethods.length === 0
  const today = amount === 0 ? 'Nothing' : moneyWords({ amount, currency })
  const buy = button(kind === 'RESTORE' ? 'KEEP IT' : 'BUY NOW', { kind: 'primary', size: 'large' })
  return html`<div class="buy-bar">
<p><span>Charged today</span> <strong>${today}</strong></p>
${needsCard ? linkButton('ADD A CARD', `${path}/card`, { kind: 'primary', size: 'large' }) : buy}
<button class="button quiet" type="submit" form="cancel">Cancel</button>
</div>`
}
