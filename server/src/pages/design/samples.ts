import { button, buttons, linkButton } from '../../platform/web/components/button.ts'
import { appFace, badge, card, cards } from '../../platform/web/components/card.ts'
import { copyable, facts, listing } from '../../platform/web/components/facts.ts'
import { filter } from '../../platform/web/components/filter.ts'
import { emptyState, notice } from '../../platform/web/components/notice.ts'
import { price, receipt } from '../../platform/web/components/price.ts'
import { steps } from '../../platform/web/components/steps.ts'
import { type Column, table } from '../../platform/web/components/table.ts'
import { day, instant } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { moneyWords, priceWords, trialWords } from '../../platform/web/money.ts'

export interface Sample {
  readonly title: string
  readonly body: Html
}

const MARCH = new Date('2026-03-12T13:05:00Z')
const LONG = 'A name that somebody made so long that it fits no phone: Supercalifragilisticexpialidocious-Enterprises'
const MONTHLY = { amount: 500, currency: 'USD', interval: 'MONTH', scope: 'BUSINESS' } as const

/** What shows something. What asks for something is in form-samples.ts. */
export function samples(): Sample[] {
  return [
    { title: 'Words', body: words() },
    { title: 'Buttons', body: buttonSamples() },
    { title: 'Notices', body: notices() },
    { title: 'Apps and prices', body: prices() },
    { title: 'Receipt', body: receiptSample() },
    { title: 'Facts', body: factSamples() },
    { title: 'Tables', body: html`${table({ caption: 'Invoices', columns: COLUMNS, rows: INVOICES })}` },
    { title: 'Which part of a list', body: filterSample() },
    { title: 'Steps', body: html`${[0, 1, 2].map(i => steps(['Sign in', 'Choose a plan', 'Pay'], i))}` },
    {
      title: 'Nothing there yet',
      body: emptyState(
        'No subscriptions yet',
        'Apps that you subscribe to on your terminal are listed here, with what they cost and when the next payment is.',
        linkButton('See the apps', '/design'),
      ),
    },
  ]
}

function words(): Html {
  return html`<h3>A third heading</h3>
<p>Text is one size, with <a href="/design">links that look like links</a>, <strong>strong words</strong> and <code>code-4711</code>.</p>
<p class="lead">A lead says in one sentence what a page is about.</p>
<p class="fine">Fine print is smaller and softer, and still easy to read. ${instant(MARCH, 'Europe/Berlin')}.</p>`
}

function buttonSamples(): Html {
  const kinds = ['primary', 'plain', 'quiet', 'danger'] as const
  return html`${buttons(...kinds.map(kind => button(`${kind[0]?.toUpperCase()}${kind.slice(1)}`, { kind })))}
${buttons(...kinds.map(kind => button('Small', { kind, size: 'small', about: kind })))}
${buttons(button('Not now', { disabled: true }), linkButton('A link', '/design'))}
${buttons(button('Buy now', { kind: 'primary', size: 'large' }))}`
}

function notices(): Html {
  return html`${notice('good', 'You are subscribed', html`The next payment is on ${day(MARCH)}.`)}
${notice('warn', 'Your trial ends in three days', html`Add a payment method to keep the app. <a href="/design">Add one</a>`)}
${notice('bad', 'The payment was declined', 'Your bank said that there is not enough money. Try another card.')}`
}

function prices(): Html {
  const face = { name: 'Table Planner', developer: 'Lakeside Apps' }
  const plan = (name: string, recurring: Parameters<typeof price>[0], more: Html) =>
    card({
      title: name,
      badge: badge(recurring.amount === 0 ? 'Free' : 'Popular', 'good'),
      body: html`${price(recurring)}${more}`,
    })
  return html`${card({
    title: 'Subscription',
    badge: badge('Active', 'good'),
    body: html`${appFace(face, 3)}<p>${priceWords(MONTHLY)}. ${trialWords(14)}, then the first payment on ${day(MARCH)}.</p>
${buttons(linkButton('Change plan', '/design'), linkButton('Cancel', '/design', { kind: 'quiet' }))}`,
  })}
${cards([
  plan('Basic', { ...MONTHLY, amount: 0 }, html`<p>For one till and a few tables.</p>`),
  plan('Pro', MONTHLY, html`<p>As many tables as you have.</p>${buttons(button('Choose Pro', { kind: 'primary' }))}`),
  plan(LONG, { ...MONTHLY, amount: 99_999_999, currency: 'KWD', scope: 'DEVICE' }, html`<p>${LONG}</p>`),
])}
<p>${badge('Active', 'good')} ${badge('In trial')} ${badge('Payment due', 'warn')} ${badge('Ended', 'bad')}</p>`
}

function receiptSample(): Html {
  return receipt({
    currency: 'USD',
    lines: [
      { text: 'Pro', detail: '12 March to 12 April 2026', amount: 1_900 },
      { text: 'Credit for the rest of Basic', detail: '17 of 31 days', amount: -274 },
    ],
    total: { text: 'To pay today', amount: 1_626 },
  })
}

function factSamples(): Html {
  return html`${facts([
    ['Business', 'Corner Café & Bakery'],
    ['Next payment', day(MARCH)],
    ['Paid with', 'Visa ending in 4242'],
    ['Status', badge('Payment due', 'warn')],
  ])}
${copyable('sample-link', 'https://pay.example/invitations/3XjUeYqG0oJvWc9b1ZsTtQ', 'the link')}
${listing(JSON.stringify({ eventType: 'APPLICATION_SUBSCRIPTION_START', links: [{ href: `https://pay.example/${'0'.repeat(90)}` }] }, null, 2))}`
}

function filterSample(): Html {
  const names = ['All', 'Delivered', 'To be tried again', 'Given up']
  return filter(
    'Which invoices',
    names.map((text, i) => ({ text, href: '/design', isCurrent: i === 1 })),
  )
}

interface Invoice {
  readonly number: string
  readonly at: Date
  readonly amount: number
  readonly isPaid: boolean
}

const INVOICES: readonly Invoice[] = [
  { number: '2026-000003', at: MARCH, amount: 1_626, isPaid: false },
  { number: '2026-000002', at: new Date('2026-02-12T00:00:00Z'), amount: 500, isPaid: true },
  { number: '2026-000001', at: new Date('2026-01-12T00:00:00Z'), amount: 123_456_789, isPaid: true },
]

const COLUMNS: readonly Column<Invoice>[] = [
  { name: 'Number', cell: ({ number }) => html`<a href="/design">${number}</a>` },
  { name: 'Date', cell: ({ at }) => day(at) },
  { name: 'State', cell: ({ isPaid }) => (isPaid ? badge('Paid', 'good') : badge('Payment due', 'warn')) },
  { name: 'Amount', cell: ({ amount }) => moneyWords({ amount, currency: 'USD' }), isNumber: true },
]
