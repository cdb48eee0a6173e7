import { Type } from 'typebox'
import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import {
  appFace,
  badge,
  card,
  cards,
  copyable,
  emptyState,
  facts,
  listing,
  notice,
  price,
  receipt,
  steps,
} from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  checkbox,
  choices,
  confirmation,
  form,
  linkButton,
  selectField,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { amountColumn, type Column, filter, table } from '../../platform/web/components/table.ts'
import { capital, day, instant, priceWords, trialWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { dashboardSamples, type Sample } from './dashboard-samples.ts'

/** The forms of the page lead nowhere, so they need no CSRF token. */
const NO_TOKEN = 'none'

export function designPages(): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/design',
      name: 'showDesign',
      operation: 'public',
      signIn: 'none',
      query: Type.Object({ theme: Type.Optional(Type.Union([Type.Literal('light'), Type.Literal('dark')])) }),
      handle: async ({ query }) =>
        shown(
          layout({
            title: 'Design',
            ...(query.theme && { theme: query.theme }),
            signedIn: {
              person: { name: 'Ann Example', email: 'ann@example.com' },
              workspace: { name: 'Corner Café & Bakery' },
              csrf: NO_TOKEN,
            },
            links: [
              { href: '/design', text: 'Everything', isCurrent: true },
              { group: 'Themes', href: '/design?theme=light', text: 'Light' },
              { group: 'Themes', href: '/design?theme=dark', text: 'Dark' },
              { group: 'More', href: '/', text: 'Start page' },
            ],
            main: html`<h1>Design</h1>
<p class="lead">Every part that our pages are made of, in every state that it has.</p>
${[...samples(), ...dashboardSamples(NO_TOKEN), ...formSamples(NO_TOKEN)].map(
  ({ title, body }) => html`<section class="section"><h2>${title}</h2>
${body}
</section>`,
)}`,
          }),
        ),
    }),
  ]
}

const MARCH = new Date('2026-03-12T13:05:00Z')
const LONG = 'A name that somebody made so long that it fits no phone: Supercalifragilisticexpialidocious-Enterprises'
const MONTHLY = { amount: 500, currency: 'USD', interval: 'MONTH', intervalCount: 1, scope: 'BUSINESS' } as const

/** Display components. Input components are in form-samples.ts. */
function samples(): Sample[] {
  return [
    { title: 'Words', body: words() },
    { title: 'Buttons', body: buttonSamples() },
    { title: 'Notices', body: notices() },
    { title: 'Apps and prices', body: prices() },
    { title: 'Receipt', body: receiptSample() },
    { title: 'Facts', body: factSamples() },
    {
      title: 'Tables',
      body: html`${table({ caption: 'Invoices', columns: COLUMNS, rows: INVOICES, sortable: 'invoices' })}`,
    },
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
  return html`${buttons(...kinds.map(kind => button(capital(kind), { kind })))}
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
${withDetails(pageHead({ title: 'A page', above: [{ href: '/design', text: 'Design' }], badge: badge('Active', 'good'), lead: 'The top of a page', more: [html`<a href="/design">A rarer action</a>`] }), 'Details stand beside the content.')}
${copyable('sample-link', 'https://pay.example/invitations/3XjUeYqG0oJvWc9b1ZsTtQ', 'the link')}
${listing(JSON.stringify({ eventType: 'APPLICATION_SUBSCRIPTION_START', links: [{ href: `https://pay.example/${'0'.repeat(90)}` }] }, null, 2))}`
}

function filterSample(): Html {
  const names = ['All', 'Delivered', 'Retrying', 'Failed']
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
  { name: 'Number', cell: ({ number }) => html`<a href="/design">${number}</a>`, sort: ({ number }) => number },
  { name: 'Date', cell: ({ at }) => day(at), sort: ({ at }) => at },
  { name: 'State', cell: ({ isPaid }) => (isPaid ? badge('Paid', 'good') : badge('Payment due', 'warn')) },
  amountColumn('Amount', ({ amount }) => ({ amount, currency: 'USD' })),
]

function formSamples(csrf: string): Sample[] {
  return [
    { title: 'A form', body: goodForm(csrf) },
    { title: 'A form with mistakes', body: formWithMistakes(csrf) },
    { title: 'Choices', body: choiceSamples(csrf) },
    {
      title: 'A question before something is done',
      body: html`<div class="card">${confirmation(
        { csrf },
        {
          title: 'Cancel Table Planner Pro?',
          words: html`<p>You can use it until 12 April 2026. After that you are not charged again.</p>`,
          verb: 'Cancel the subscription',
          isDangerous: true,
          backHref: '/design',
          backText: 'Keep it',
        },
      )}</div>`,
    },
  ]
}

function goodForm(csrf: string) {
  return form({
    csrf,
    body: html`${textField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email', value: 'ann@example.com' })}
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', hint: 'At least 12 characters.' })}
${textField({ name: 'note', label: 'Note', isOptional: true, maxlength: 200 })}
${textField({ name: 'fixed', label: 'Business', value: 'Corner Café', disabled: true })}
${textField({ name: 'code', label: 'Code', isCode: true, inputmode: 'numeric', autocomplete: 'one-time-code', hint: 'Six digits, from your authenticator app.' })}
${selectField({ name: 'role', label: 'Role', value: 'VIEWER', options: ROLES })}
${buttons(button('Save', { kind: 'primary' }), button('Save and add another'))}`,
  })
}

const ROLES = [
  { value: 'OWNER', text: 'Owner' },
  { value: 'MANAGER', text: 'Manager' },
  { value: 'VIEWER', text: 'Viewer' },
]

function formWithMistakes(csrf: string) {
  const problems = { name: 'Enter a name.', plan: 'Choose a plan.', terms: 'Agree before you go on.' }
  return form({
    csrf,
    problems,
    body: html`${textField({ name: 'name', label: 'Name', problem: problems.name })}
${choices({
  name: 'plan',
  legend: 'Plan',
  problem: problems.plan,
  options: [
    { value: 'a', text: 'Basic', detail: 'Free' },
    { value: 'b', text: 'Pro', detail: '$5.00 per month, per business' },
  ],
})}
${checkbox({ name: 'terms', text: 'I agree that the first payment is taken today', problem: problems.terms })}
${buttons(button('Subscribe', { kind: 'primary' }))}`,
  })
}

function choiceSamples(csrf: string) {
  return form({
    csrf,
    body: html`${choices({
      name: 'method',
      legend: 'Pay with',
      hint: 'It becomes what all your subscriptions are paid with.',
      value: 'visa',
      options: [
        { value: 'visa', text: 'Visa ending in 4242', detail: 'Expires 4/2029' },
        { value: 'new', text: 'Another card' },
      ],
    })}
${choices({
  name: 'rights',
  legend: 'What the app may do',
  many: true,
  value: ['READ'],
  options: [
    { value: 'READ', text: 'See what you are subscribed to' },
    { value: 'SUBSCRIBE', text: 'Subscribe for you', detail: 'It can change what you pay without asking you again.' },
  ],
})}`,
  })
}
