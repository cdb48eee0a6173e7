import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { BusinessRecord } from '../../core/business-record.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { SavedAtGateway } from '../../money/billing/payment-method.ts'
import { beginAtGateway, gatewayOf, saveAtGateway } from '../../money/billing/payment-method.ts'
import type { Shown } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { asset } from '../../platform/web/assets.ts'
import { notice } from '../../platform/web/components/content.ts'
import { button, buttons, choices, form, linkButton, type Problems } from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'

/** `once`: one id per shown form. A form that is sent twice saves one payment method. */
export const CardForm = Type.Object({ once: Uuid, token: Type.Optional(Type.String({ maxLength: 255 })) })
export type CardForm = Static<typeof CardForm>

interface EntryOptions extends CardForm {
  readonly csrf: string
  readonly backHref: string
  readonly problems?: Problems
}

/** The form that adds a payment method at the business's gateway, and the external sources of its page. */
export async function cardEntry(
  ports: Pick<Ports, 'db' | 'gateways'>,
  { businessId, type }: BusinessRecord,
  options: EntryOptions,
): Promise<{ readonly body: Html; readonly sources?: NonNullable<Shown['sources']> } | Rejection> {
  const gateway = gatewayOf(ports.gateways, type)
  if (gateway === 'sandbox') return { body: testCards(options) }
  const begun = await beginAtGateway(ports, { businessId, gateway, key: options.once })
  if (isRejection(begun)) return begun
  const { clientSecret, publishableKey } = begun
  if (publishableKey === undefined) return { body: notSetUp() }
  return { body: stripeElement(options, { clientSecret, publishableKey }), sources: STRIPE }
}

/** The card that was entered, at its gateway, or the form to show again. */
export async function saveEntered(
  ports: Pick<Ports, 'db' | 'gateways' | 'newId'>,
  { businessId, type }: BusinessRecord,
  { once, token = '' }: CardForm,
): Promise<{ readonly saved: SavedAtGateway } | (CardForm & { readonly problems: Problems }) | Rejection> {
  if (token === '') return { once, token, problems: { token: say`Choose a card.` } }
  const gateway = gatewayOf(ports.gateways, type)
  // The key combines form and input: a form that is sent twice counts once, and another card has another key.
  const saved = await saveAtGateway(ports, { businessId, gateway, token, key: `${once} ${token}` })
  if (!isRejection(saved)) return { saved }
  const problem = PROBLEMS[saved.rejected]
  // A new attempt needs a new form: the gateway's setup is used up.
  return problem === undefined ? saved : { once: ports.newId(), token, problems: { token: sayText(problem) } }
}

const PROBLEMS: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_PARAMETER: english('This card could not be read. Please enter it again.'),
  PAYMENT_METHOD_DECLINED: english('The bank declined this card. Try another one.'),
}

function testCards({ csrf, once, backHref, problems = {}, token }: EntryOptions): Html {
  return form({
    csrf,
    problems,
    hidden: { once },
    body: html`${choices({
      name: 'token',
      legend: say`Which test card?`,
      hint: say`No real card is needed here, and no real money is charged.`,
      problem: problems.token,
      options: TEST_CARDS.map(({ value, text, detail }) => ({ value, text: sayText(text), detail: sayText(detail) })),
      ...(token === undefined ? {} : { value: token }),
    })}
${buttons(button(say`Add this card`, { kind: 'primary' }), linkButton(say`Go back`, backHref))}`,
  })
}

/** Stripe's element in Stripe's frame: no card number reaches this service. */
function stripeElement(
  { csrf, once, backHref, problems = {} }: EntryOptions,
  { clientSecret, publishableKey }: { readonly clientSecret: string; readonly publishableKey: string },
): Html {
  const given = { 'data-card': true, 'data-secret': clientSecret, 'data-key': publishableKey }
  return html`<div ${given}>
${form({
  csrf,
  problems,
  hidden: { once, token: '' },
  body: html`<div class="field"><span class="label" id="card-label">${say`Card`}</span>
<div class="input" data-card-element aria-labelledby="card-label"></div>
<p class="problem" data-card-problem role="alert"></p></div>
<p class="fine">${say`You type your card into a field of Stripe, who keeps it. We never see its number.`}</p>
${buttons(button(say`Add this card`, { kind: 'primary' }), linkButton(say`Go back`, backHref))}`,
})}
<noscript>${notice('warn', say`This page needs JavaScript`, say`Stripe keeps card numbers away from us by a script of its own. Switch JavaScript on, or use another browser.`)}</noscript>
</div>
<script src="https://js.stripe.com/v3/" defer></script>
<script type="module" src="${asset('stripe-card.js')}"></script>`
}

function notSetUp(): Html {
  return notice(
    'warn',
    say`Cards cannot be added here yet`,
    say`Contact the operator of this service: Stripe’s publishable key is missing.`,
  )
}

/** https://docs.stripe.com/security/guide#content-security-policy */
const STRIPE = {
  'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  'connect-src': ['https://api.stripe.com'],
} as const

/** The sandbox tokens (decisions 11) by their effect. */
const TEST_CARDS: readonly { readonly value: string; readonly text: string; readonly detail: string }[] = [
  { value: 'tok_ok', text: english('A card that works'), detail: english('Every payment succeeds.') },
  {
    value: 'tok_insufficient_funds',
    text: english('A card without enough money'),
    detail: english('Every payment is declined and retried for some days.'),
  },
  {
    value: 'tok_stolen',
    text: english('A stolen card'),
    detail: english('Declined permanently: the payment is not retried.'),
  },
  {
    value: 'tok_fail_after_1',
    text: english('A card that runs dry'),
    detail: english('The first payment succeeds, later payments are declined.'),
  },
  {
    value: 'tok_timeout_then_ok',
    text: english('A bank that answers late, with yes'),
    detail: english('The payment is unknown at first, then found to have succeeded.'),
  },
  {
    value: 'tok_timeout_then_declined',
    text: english('A bank that answers late, with no'),
    detail: english('The payment is unknown at first, then found to be declined.'),
  },
  { value: 'tok_pending', text: english('A bank that takes days'), detail: english('The payment stays pending.') },
  {
    value: 'tok_action_required',
    text: english('A bank that asks for confirmation'),
    detail: english('Your bank needs you to confirm this payment.'),
  },
  {
    value: 'tok_refund_fails',
    text: english('A card that takes no money back'),
    detail: english('Payments succeed, refunds fail.'),
  },
  { value: 'tok_expires_soon', text: english('A card that expires this month'), detail: english('Payments succeed.') },
]
