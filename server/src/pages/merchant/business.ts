import type { Static } from 'typebox'
import { Type } from 'typebox'
import { LANGUAGE_NAMES, LANGUAGES, OPTIONAL_MAIL_KINDS, type OptionalMailKind } from '../../core/mail-kind.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { updateBusiness } from '../../merchants/businesses/update.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line } from '../../platform/http/wire.ts'
import { facts, notice, toast } from '../../platform/web/components/content.ts'
import { button, choices, EMAIL, form, type Problems, textField } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { taxIdBadge } from '../state-badges.ts'
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

type Entered = Static<typeof FORM>

/** The company's data on invoices, and the mails that the company gets. */
export function businessPages(ports: Pick<Ports, 'clock' | 'newId' | 'taxIds'>): AnyPage[] {
  const verifies = ports.taxIds !== undefined
  return [
    ownPage(ports, {
      ...{ method: 'GET', path: PATHS.business, name: 'showOwnBusiness', operation: 'businesses.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(['saved'])) }),
      handle: async (call, shop) => show(call, shop, { verifies, isSaved: call.query.done === 'saved' }),
    }),
    ownPage(ports, {
      ...{ method: 'POST', path: PATHS.business, name: 'saveOwnBusiness', operation: 'businesses.write', form: FORM },
      async handle(call, shop): Promise<PageAnswer | Rejection> {
        const { mails = [], line1, line2, city, postalCode, ...entered } = call.form
        const problems = problemsOf(call.form)
        if (Object.keys(problems).length > 0) return show(call, shop, { verifies, entered: call.form, problems })
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
        return show(call, shop, {
          verifies,
          entered: call.form,
          problems: { taxId: say`This does not look like a tax id of your country. Check the number.` },
        })
      },
    }),
  ]
}

function problemsOf({ legalName, doingBusinessAs, emailAddress, billingEmail }: Entered): Problems {
  return {
    ...(legalName.trim() === '' && { legalName: say`Enter the legal name.` }),
    ...(doingBusinessAs.trim() === '' && { doingBusinessAs: say`Enter the name that customers see.` }),
    ...(!EMAIL.test(emailAddress) && { emailAddress: say`Enter an e-mail address, such as shop@example.com.` }),
    ...(billingEmail !== '' &&
      !EMAIL.test(billingEmail) && { billingEmail: say`Enter an e-mail address, or leave the field empty.` }),
  }
}

interface View {
  /** Whether a service checks tax ids. */
  readonly verifies: boolean
  readonly isSaved?: boolean
  readonly entered?: Entered
  readonly problems?: Problems
}

function show(call: PageCall, shop: Shop, { verifies, isSaved = false, entered, problems = {} }: View): PageAnswer {
  const value = entered ?? enteredOf(shop)
  const text = (name: Exclude<keyof Entered, 'mails' | 'language'>, label: string, more = {}) =>
    textField({ name, label, value: value[name], problem: problems[name], ...more })
  const optional = { isOptional: true }
  const main = html`<h1>${say`Company`}</h1>
${isSaved && toast(say`Saved`, say`New invoices show this data. Issued invoices never change.`)}
${
  shop.business.taxIdStatus === 'INVALID' &&
  notice(
    'bad',
    say`Your tax id is not valid`,
    say`The tax office does not know ${value.taxId}. New invoices include VAT until you correct the number.`,
  )
}
${
  shop.may('businesses.write')
    ? form({
        csrf: call.csrf,
        problems,
        body: html`${text('legalName', say`Legal name`, { autocomplete: 'organization' })}
${text('doingBusinessAs', say`Name that customers see`)}
${text('emailAddress', say`E-mail`, { type: 'email', autocomplete: 'email' })}
${text('billingEmail', say`Billing e-mail`, { ...optional, type: 'email', hint: say`Receipts and reminders go there instead.` })}
${text('taxId', say`Tax ID`, { ...optional, hint: taxIdHint(shop, verifies) })}
${text('line1', say`Street`, { ...optional, autocomplete: 'address-line1' })}
${text('line2', say`Street, second line`, { ...optional, autocomplete: 'address-line2' })}
${text('city', say`City`, { ...optional, autocomplete: 'address-level2' })}
${text('postalCode', say`Postal code`, { ...optional, autocomplete: 'postal-code' })}
${choices({
  ...{ name: 'language', legend: say`Language of mails`, value: value.language },
  options: LANGUAGES.map(language => ({ value: language, text: LANGUAGE_NAMES[language] })),
})}
${choices({
  ...{ name: 'mails', legend: say`Mails`, many: true, value: value.mails ?? [] },
  hint: say`Mails about declined payments, trials, cancellations and renewals are always sent.`,
  options: OPTIONAL_MAIL_KINDS.map(kind => ({ value: kind, text: sayText(MAIL_NAMES[kind]) })),
})}
${button(say`Save`, { kind: 'primary' })}`,
      })
    : facts([
        [say`Legal name`, value.legalName],
        [say`E-mail`, value.billingEmail || value.emailAddress],
        [say`Tax ID`, value.taxId === '' ? say`none` : html`${value.taxId} ${taxIdBadge(shop.business, { verifies })}`],
      ])
}`
  return framed(call, shop, { title: say`Company`, part: 'business', width: 'narrow', main, problems })
}

function taxIdHint({ business }: Shop, verifies: boolean): string {
  if (business.taxIdStatus === 'VALID') return say`Verified with the tax office. Shown on new invoices.`
  if (verifies && business.taxIdCheckAt !== undefined && business.taxIdStatus === undefined) {
    return say`Not verified yet. The check with the tax office runs by itself.`
  }
  return say`For example DE123456789. Shown on new invoices.`
}

function enteredOf({ business }: Shop): Entered {
  const { legalName, doingBusinessAs, emailAddress, billingEmail = '', taxId = '', language, mailsOff } = business
  const { line1 = '', line2 = '', city = '', postalCode = '' } = business.address ?? {}
  const mails = OPTIONAL_MAIL_KINDS.filter(kind => !mailsOff.includes(kind))
  const names = { legalName, doingBusinessAs, emailAddress, billingEmail, taxId }
  return { ...names, line1, line2, city, postalCode, language, mails }
}

const MAIL_NAMES = {
  RECEIPT: english('Receipts'),
  CARD_EXPIRING: english('A card expires soon'),
  RESTORED: english('A cancellation was undone'),
  REFUND: english('Refunds'),
} as const satisfies Record<OptionalMailKind, string>
