import { Type } from 'typebox'
import { BRAND_LINKS, type Brand, type BrandLink, rejectBrand } from '../../core/brand.ts'
import { given } from '../../core/given.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { changeBrand, changeLogo, removeLogo } from '../../platform/brand/change.ts'
import type { CurrentBrand } from '../../platform/brand/current.ts'
import { findBrand } from '../../platform/brand/store.ts'
import { brandStyle } from '../../platform/brand/style.ts'
import { type AnyPage, bytes, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line } from '../../platform/http/wire.ts'
import { notice, toast } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  fileField,
  form,
  type Problems,
  press,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { BRAND_LINK_TEXTS, brandMark } from '../../platform/web/layout.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { type Desk, framed, opsPage } from './ops-page.ts'

const path = OPERATOR_PATHS.brand
const STYLE_PATH = `${path}/preview.css`
const DONE = { saved: 'Brand saved', logo: 'Logo saved', removed: 'Logo removed' } as const

const Link = Line(2_048, 0)
const Fields = Type.Object({
  name: Line(60, 0),
  accent: Line(20, 0),
  mailName: Line(60, 0),
  supportUrl: Link,
  termsUrl: Link,
  privacyUrl: Link,
  imprintUrl: Link,
  act: Type.Enum(['save', 'preview']),
})

type Entered = Omit<Brand, 'logo'>

/** The brand with its preview, for the operator. */
export function brandPages(ports: Pick<Ports, 'clock'> & { readonly currentBrand: CurrentBrand }): AnyPage[] {
  const { currentBrand } = ports
  return [
    opsPage({
      ...{ method: 'GET', path, name: 'showBrand', operation: 'operations.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as (keyof typeof DONE)[])) }),
      async handle(call, desk) {
        const brand = await findBrand(call.db.sql)
        return brandView(call, desk, { brand, ...(call.query.done && { said: DONE[call.query.done] }) })
      },
    }),
    opsPage({
      ...{ method: 'POST', path, name: 'sendBrand', operation: 'brand.manage' },
      form: Fields,
      async handle(call, desk) {
        const { act, ...form } = call.form
        const entered = enteredOf(form)
        const { logo } = await findBrand(call.db.sql)
        const brand = { ...entered, ...(logo && { logo }) }
        if (entered.name === '') return brandView(call, desk, { brand, problems: { name: 'Enter a name.' } })
        const rejection = rejectBrand(entered)
        if (rejection !== null) return brandView(call, desk, { brand, problems: problemsOf(rejection) })
        if (act === 'preview') return brandView(call, desk, { brand, isPreview: true })
        const changed = await changeBrand({ ...ports, db: call.db }, entered)
        if (isRejection(changed)) return brandView(call, desk, { brand, problems: problemsOf(changed) })
        currentBrand.forget()
        return redirect(`${path}?done=saved`)
      },
    }),
    opsPage({
      ...{ method: 'POST', path: `${path}/logo`, name: 'sendLogo', operation: 'brand.manage', file: 'logo' },
      async handle(call, desk) {
        const changed = call.file && (await changeLogo({ ...ports, db: call.db }, call.file))
        if (changed === 'changed') {
          currentBrand.forget()
          return redirect(`${path}?done=logo`)
        }
        const problems = changed === undefined ? { logo: 'Choose a picture.' } : problemsOf(changed)
        return brandView(call, desk, { brand: await findBrand(call.db.sql), problems })
      },
    }),
    opsPage({
      ...{ method: 'POST', path: `${path}/remove-logo`, name: 'sendRemoveLogo', operation: 'brand.manage' },
      async handle(call) {
        await removeLogo({ ...ports, db: call.db })
        currentBrand.forget()
        return redirect(`${path}?done=removed`)
      },
    }),
    opsPage({
      ...{ method: 'GET', path: STYLE_PATH, name: 'showBrandPreviewStyle', operation: 'operations.read' },
      query: Type.Object({ accent: Type.Optional(Type.String({ pattern: '^[0-9a-f]{6}$' })) }),
      handle: async ({ query: { accent } }) => {
        const style = accent === undefined ? '' : brandStyle(`#${accent}`, ' .brand-preview')
        return bytes('text/css; charset=utf-8', style)
      },
    }),
  ]
}

/** An empty field is an absent value. */
function enteredOf(form: Readonly<Record<keyof Entered, string>>): Entered {
  const known = Object.entries(form).map(([name, value]) => [name, value.trim() || undefined])
  const { name = '', accent, ...rest } = Object.fromEntries(known) as Partial<Record<keyof Entered, string>>
  return given({ ...rest, name, accent: accent && `#${accent.replace(/^#/, '').toLowerCase()}` })
}

const LABELS: Readonly<Record<BrandLink | 'accent' | 'logo', string>> = {
  accent: 'The accent colour',
  logo: 'The logo',
  supportUrl: 'The support link',
  termsUrl: 'The link to the terms',
  privacyUrl: 'The link to the privacy policy',
  imprintUrl: 'The link to the imprint',
}

function problemsOf({ fields = [] }: Rejection): Problems {
  return Object.fromEntries(
    fields.map(({ path, problem }) => [path, `${LABELS[path as keyof typeof LABELS]} ${problem}.`]),
  )
}

interface BrandView {
  readonly brand: Brand
  readonly problems?: Problems
  readonly isPreview?: boolean
  readonly said?: string
}

function brandView(call: PageCall, desk: Desk, { brand, problems = {}, isPreview = false, said }: BrandView) {
  const { accent } = brand
  const isShown = problems.accent === undefined && accent !== undefined
  const main = html`${pageHead({ title: 'Brand', lead: 'Merchants see this name and look on pages, tills, mails and documents.' })}
${said !== undefined && toast(said)}
${isPreview && notice('warn', 'This is a preview', 'Nothing is saved yet.')}
<div class="with-details"><div>
${desk.may('brand.manage') ? html`<div class="section">${brandForm(call.csrf, brand, problems)}</div>` : html`<p>You may see the brand, and only an administrator may change it.</p>`}
${desk.may('brand.manage') && logoForm(call.csrf, brand, problems)}
</div>
<section class="details" aria-label="Preview"><h2>Preview</h2>${preview(brand)}
<p class="fine"><a href="/mail-preview">Preview mails</a></p></section></div>`
  // A page with its own head is loaded completely, with the stylesheet of the new accent.
  const head = html`${isShown && html`<link rel="stylesheet" href="${`${STYLE_PATH}?accent=${accent.slice(1)}`}">`}`
  return framed(call, { title: 'Brand', part: 'brand', main, head, problems })
}

function brandForm(csrf: string, brand: Brand, problems: Problems): Html {
  const value = (name: keyof Entered) => ({ name, value: brand[name] ?? '', problem: problems[name] })
  const link = (name: BrandLink, label: string, hint?: string) =>
    textField({
      ...value(name),
      label,
      type: 'url',
      isOptional: true,
      maxlength: 2_048,
      ...(hint !== undefined && { hint }),
    })
  return form({
    csrf,
    action: path,
    problems: withoutLogo(problems),
    body: html`${textField({ ...value('name'), label: 'Name', maxlength: 60, autocomplete: 'off' })}
${textField({ ...value('accent'), label: 'Accent colour', isOptional: true, maxlength: 7, autocomplete: 'off', hint: 'For buttons and links, such as #17604a. White text on the colour must be readable; dark mode uses a lighter tone.' })}
${textField({ ...value('mailName'), label: 'Sender of mails', isOptional: true, maxlength: 60, autocomplete: 'off', hint: 'Default: the name.' })}
${link('supportUrl', 'Support', 'A web address, or mailto:help@example.com.')}
${link('termsUrl', 'Terms')}
${link('privacyUrl', 'Privacy policy')}
${link('imprintUrl', 'Imprint')}
${buttons(button('Save', { kind: 'primary', name: 'act', value: 'save' }), button('Preview', { name: 'act', value: 'preview' }))}`,
  })
}

function withoutLogo({ logo: _, ...problems }: Problems): Problems {
  return problems
}

/** A form of its own: a preview of the other fields would lose the selected file. */
function logoForm(csrf: string, { logo }: Brand, problems: Problems): Html {
  const hint = 'A square PNG, JPEG or WebP with sides of 48 to 1024 pixels, at most 256 KiB. PDFs show no WebP.'
  return html`<h2>Logo</h2>
${form({
  csrf,
  action: `${path}/logo`,
  hasFile: true,
  ...(problems.logo !== undefined && { problems: { logo: problems.logo } }),
  body: html`${fileField({ name: 'logo', label: logo === undefined ? 'Picture' : 'New picture', accept: 'image/png,image/jpeg,image/webp', hint, problem: problems.logo })}
${buttons(button('Upload the logo'))}`,
})}
${logo !== undefined && html`<div class="buttons">${press(`${path}/remove-logo`, csrf, 'Remove the logo')}</div>`}`
}

/** A page, a button and a link in the brand's colours. */
function preview(brand: Brand): Html {
  const links = BRAND_LINKS.flatMap(link => (brand[link] === undefined ? [] : [BRAND_LINK_TEXTS[link]]))
  return html`<div class="brand-preview">
<p class="brand">${brandMark(brand)}<span>${brand.name}</span></p>
<p>Table Planner · <a href="#main">Plus, $19.00 per month</a></p>
<p><span class="button primary">Subscribe</span></p>
<p class="fine">${[brand.name, ...links].join(' · ')}</p>
</div>`
}
