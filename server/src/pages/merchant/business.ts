import { Type } from 'typebox'
import { LANGUAGES, OPTIONAL_MAIL_KINDS, type OptionalMailKind } from '../../core/mail-kind.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { updateBusiness } from '../../merchants/businesses/update.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line } from '../../platform/http/wire.ts'
import { facts, notice } from '../../platform/web/components/content.ts'
import { button, choices, form, type Problems, textField } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { framed, ownPage, PATHS, type Shop } from './own-page.ts'

const FORM = Type.Object({
  legalName: Line(255, 0),
  doingBusinessAs: Line(255, 0),
  emailAddress: Line(254, 0),
  billingEmail: Line(254, 0),
  taxId: Line(40, 0),
  line1: Line(255, 0),
  line2: Line(255, 0),
  city: Line(255, 0),
  postalCode: Line(32, 0),
  language: Type.Enum([...LANGUAGES]),
  mails: Type.Optional(Type.Array(Type.Enum([...OPTIONAL_MAIL_KINDS]))),
})

/** Checks only the shape: a delivered message is the only proof of an address. */
const EMAIL = /^[^\s@]+@[^\s@]+$/

interface Entered {
  readonly legalName: string
  readonly doingBusinessAs: string
  readonly emailAddress: string
  readonly billingEmail: string
  readonly taxId: string
  readonly line1: string
  readonly line2: string
  readonly city: string
  readonly postalCode: string
  readonly language: (typeof LANGUAGES)[number]
  readonly mails?: readonly OptionalMailKind[]
}

/** The company's data on invoices, and the mails that the company gets. */
export function businessPages(ports: Pick<Ports, 'clock' | 'newId'>): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path: PATHS.business, name: 'showOwnBusiness', operation: 'businesses.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(['saved'])) }),
      handle: async (call, shop) => show(call, shop, { isSaved: call.query.done === 'saved' }),
    }),
    ownPage(ports, {
      ...{ method: 'POST', path: PATHS.business, name: 'saveOwnBusiness', operation: 'businesses.write', form: FORM },
      async handle(call, shop): Promise<PageAnswer | Rejection> {
        const { mails = [], line1, line2, city, postalCode, ...entered } = call.form
        const problems = problemsOf(call.form)
        if (Object.keys(problems).length > 0) return show(call, shop, { entered: call.form, problems })
        const changed = { line1, line2, city, postalCode }
        const address = { ...shop.business.address, ...changed }
        const filled = Object.fromEntries(Object.entries(address).filter(([, value]) => value !== ''))
        const saved = await updateBusiness(
          { ...ports, db: call.db },
          {
            businessId: shop.businessId,
            changes: {
              ...entered,
              address: filled,
              mailsOff: OPTIONAL_MAIL_KINDS.filter(kind => !mails.includes(kind)),
            },
          },
        )
        if (!isRejection(saved)) return redirect(`${PATHS.business}?done=saved`)
        const [problem] = saved.fields ?? []
        if (problem?.path !== 'taxId') return saved
        return show(call, shop, { entered: call.form, problems: { taxId: `The tax id ${problem.problem}.` } })
      },
    }),
  ]
}

function problemsOf({ legalName, doingBusinessAs, emailAddress, billingEmail }: Entered): Problems {
  return {
    ...(legalName.trim() === '' && { legalName: 'Enter the legal name.' }),
    ...(doingBusinessAs.trim() === '' && { doingBusinessAs: 'Enter the name that customers see.' }),
    ...(!EMAIL.test(emailAddress) && { emailAddress: 'Enter an e-mail address, such as shop@example.com.' }),
    ...(billingEmail !== '' &&
      !EMAIL.test(billingEmail) && { billingEmail: 'Enter an e-mail address, or leave the field empty.' }),
  }
}

interface View {
  readonly isSaved?: boolean
  readonly entered?: Entered
  readonly problems?: Problems
}

function show(
  call: PageCall<unknown, unknown, unknown>,
  shop: Shop,
  { isSaved = false, entered, problems = {} }: View,
): PageAnswer {
  const value = entered ?? enteredOf(shop)
  const text = (name: Exclude<keyof Entered, 'mails' | 'language'>, label: string, more = {}) =>
    textField({ name, label, value: value[name], problem: problems[name], ...more })
  const optional = { isOptional: true }
  const main = html`<h1>Company</h1>
${isSaved && notice('good', 'Saved', 'New invoices show this data. Issued invoices never change.')}
${
  shop.may('businesses.write')
    ? form({
        csrf: call.csrf,
        problems,
        body: html`${text('legalName', 'Legal name', { autocomplete: 'organization' })}
${text('doingBusinessAs', 'Name that customers see')}
${text('emailAddress', 'E-mail', { type: 'email', autocomplete: 'email' })}
${text('billingEmail', 'Billing e-mail', { ...optional, type: 'email', hint: 'Receipts and reminders go there instead.' })}
${text('taxId', 'Tax id', { ...optional, hint: 'For example DE123456789. Shown on new invoices.' })}
${text('line1', 'Street', { ...optional, autocomplete: 'address-line1' })}
${text('line2', 'Street, second line', { ...optional, autocomplete: 'address-line2' })}
${text('city', 'City', { ...optional, autocomplete: 'address-level2' })}
${text('postalCode', 'Postal code', { ...optional, autocomplete: 'postal-code' })}
${choices({
  ...{ name: 'language', legend: 'Language of mails', value: value.language },
  options: LANGUAGES.map(language => ({ value: language, text: LANGUAGE_NAMES[language] })),
})}
${choices({
  ...{ name: 'mails', legend: 'Mails', many: true, value: value.mails ?? [] },
  hint: 'Mails about declined payments, trials, cancellations and renewals are always sent.',
  options: OPTIONAL_MAIL_KINDS.map(kind => ({ value: kind, text: MAIL_NAMES[kind] })),
})}
${button('Save', { kind: 'primary' })}`,
      })
    : facts([
        ['Legal name', value.legalName],
        ['E-mail', value.billingEmail || value.emailAddress],
        ['Tax id', value.taxId || 'none'],
      ])
}`
  const status = Object.keys(problems).length > 0 ? { status: 400 } : {}
  return framed(call, shop, { title: 'Company', part: 'business', width: 'narrow', main }, status)
}

function enteredOf({ business }: Shop): Entered {
  const { legalName, doingBusinessAs, emailAddress, billingEmail = '', taxId = '', language, mailsOff } = business
  const { line1 = '', line2 = '', city = '', postalCode = '' } = business.address ?? {}
  const mails = OPTIONAL_MAIL_KINDS.filter(kind => !mailsOff.includes(kind))
  const names = { legalName, doingBusinessAs, emailAddress, billingEmail, taxId }
  return { ...names, line1, line2, city, postalCode, language, mails }
}

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const

const MAIL_NAMES = {
  RECEIPT: 'Receipts',
  CARD_EXPIRING: 'A card expires soon',
  RESTORED: 'A cancellation was undone',
  REFUND: 'Refunds',
} as const satisfies Record<OptionalMailKind, string>
