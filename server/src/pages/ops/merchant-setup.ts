import { type Static, Type } from 'typebox'
import { invite } from '../../access/invitations/invite.ts'
import { problemsOf } from '../../access/users/form-words.ts'
import { signedIn } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { MERCHANT_ROLES } from '../../core/roles.ts'
import { addStore } from '../../merchants/businesses/add-store.ts'
import { createBusiness } from '../../merchants/businesses/create.ts'
import { addDevice } from '../../merchants/businesses/devices.ts'
import { type BusinessWithStores, getBusiness } from '../../merchants/businesses/get.ts'
import { MERCHANT_TYPES } from '../../merchants/businesses/schema.ts'
import { modeOf } from '../../platform/http/mode.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Line, Text, Uuid } from '../../platform/http/wire.ts'
import {
  button,
  buttons,
  choices,
  EMAIL,
  form,
  linkButton,
  type Problems,
  selectField,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { COUNTRY_OPTIONS } from '../countries.ts'
import { roleWord } from '../people/workspace-page.ts'
import { problemWords } from '../problem-words.ts'
import { framed, opsPage } from './ops-page.ts'

const path = OPERATOR_PATHS.merchants
const ofOne = Type.Object({ businessId: Uuid })
const ofStore = Type.Object({ businessId: Uuid, storeId: Uuid })

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')]

/** A new merchant, its stores and terminals, and the invitation of its people. Each form carries the id of its record. */
export function merchantSetupPages(ports: Parameters<typeof invite>[0]): AnyPage[] {
  return [...newMerchantPages(ports), ...newStorePages(ports), ...newTerminalPages(ports), ...invitePages(ports)]
}

const NewMerchant = Type.Object({
  businessId: Uuid,
  legalName: Line(255, 0),
  doingBusinessAs: Line(255, 0),
  emailAddress: Text(254, 0),
  country: Text(2, 0),
  timezone: Text(64, 0),
  type: Type.Enum(MERCHANT_TYPES),
})

function newMerchantPages(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>): AnyPage[] {
  const definition = { path: `${path}/new`, operation: 'businesses.create' } as const
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'showNewMerchant' },
      handle: async call =>
        merchantForm(call, {
          ...{ businessId: ports.newId(), legalName: '', doingBusinessAs: '', emailAddress: '' },
          ...{ country: '', timezone: 'UTC', type: modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT' },
        }),
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'sendNewMerchant', form: NewMerchant },
      async handle(call) {
        const entered = trimmed(call.form)
        const { doingBusinessAs, ...required } = entered
        const problems: Problems = {
          ...(entered.legalName === '' && { legalName: 'Enter the legal name.' }),
          ...(!EMAIL.test(entered.emailAddress) && { emailAddress: 'Enter an e-mail address.' }),
          ...(entered.country === '' && { country: 'Choose a country.' }),
        }
        if (Object.keys(problems).length > 0) return merchantForm(call, entered, problems)
        const businessId = entered.businessId
        const made = await createBusiness(
          { ...ports, db: call.db },
          { ...required, businessId, ...(doingBusinessAs !== '' && { doingBusinessAs }) },
        )
        if (!isRejection(made)) return redirect(addressOf(`${path}/${businessId}`, { done: 'created' }))
        const [field] = made.fields ?? []
        if (field === undefined) return made
        return merchantForm(call, entered, { [field.path]: problemWords(made, 'The value') })
      },
    }),
  ]
}

function trimmed(entered: Static<typeof NewMerchant>): Static<typeof NewMerchant> {
  const { legalName, doingBusinessAs, emailAddress } = entered
  return {
    ...entered,
    ...{ legalName: legalName.trim(), doingBusinessAs: doingBusinessAs.trim(), emailAddress: emailAddress.trim() },
  }
}

function above({ business }: BusinessWithStores) {
  return [
    { text: 'Merchants', href: path },
    { text: business.doingBusinessAs, href: `${path}/${business.businessId}` },
  ]
}

function merchantForm(call: PageCall, entered: Static<typeof NewMerchant>, problems: Problems = {}) {
  const { businessId, legalName, doingBusinessAs, emailAddress, country, timezone, type } = entered
  const main = html`${pageHead({ title: 'New merchant', above: [{ text: 'Merchants', href: path }] })}
<p>Add stores, terminals and people later, on the merchant’s page.</p>
${form({
  csrf: call.csrf,
  hidden: { businessId },
  problems,
  body: html`${textField({ name: 'legalName', label: 'Legal name', hint: 'On invoices.', maxlength: 255, autocomplete: 'off', value: legalName, problem: problems.legalName })}
${textField({ name: 'doingBusinessAs', label: 'Name that customers see', isOptional: true, maxlength: 255, autocomplete: 'off', value: doingBusinessAs })}
${textField({ name: 'emailAddress', label: 'E-mail', type: 'email', hint: 'Receipts and reminders go there.', maxlength: 254, autocomplete: 'off', value: emailAddress, problem: problems.emailAddress })}
${selectField({ name: 'country', label: 'Country', hint: 'The country decides the prices and taxes.', value: country, options: [{ value: '', text: 'Choose' }, ...COUNTRY_OPTIONS], problem: problems.country })}
${selectField({ name: 'timezone', label: 'Time zone', value: timezone, options: TIME_ZONES.map(value => ({ value, text: value })), problem: problems.timezone })}
${choices({
  ...{ name: 'type', legend: 'Type', value: type },
  options: [
    { value: 'MERCHANT', text: 'Live', detail: 'Pays real money' },
    { value: 'TEST_MERCHANT', text: 'Test', detail: 'Pays with the cards of the sandbox' },
  ],
})}
${buttons(button('Create the merchant', { kind: 'primary' }), linkButton('Go back', path))}`,
})}`
  return framed(call, { title: 'New merchant', part: 'merchants', main, width: 'narrow', problems })
}

const NewStore = Type.Object({ storeId: Uuid, displayName: Line(255, 0) })

function newStorePages(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyPage[] {
  const definition = { path: `${path}/:businessId/stores/new`, params: ofOne, operation: 'businesses.write' } as const
  const show = async (
    call: PageCall,
    { businessId }: Static<typeof ofOne>,
    { storeId, displayName }: Static<typeof NewStore>,
    problems: Problems = {},
  ) => {
    const found = await getBusiness({ db: call.db }, { businessId, within: {} })
    if (isRejection(found)) return found
    const main = html`${pageHead({ title: 'Add a store', above: above(found) })}
<p>The store belongs to ${found.business.doingBusinessAs}. Each terminal belongs to a store.</p>
${form({
  csrf: call.csrf,
  hidden: { storeId },
  problems,
  body: html`${textField({ name: 'displayName', label: 'Name', maxlength: 255, autocomplete: 'off', value: displayName, problem: problems.displayName })}
${buttons(button('Add the store', { kind: 'primary' }), linkButton('Go back', `${path}/${found.business.businessId}`))}`,
})}`
    return framed(call, { title: 'Add a store', part: 'merchants', main, width: 'narrow', problems })
  }
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'showNewStore' },
      handle: call => show(call, call.params, { storeId: ports.newId(), displayName: '' }),
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'sendNewStore', form: NewStore },
      async handle(call) {
        const displayName = call.form.displayName.trim()
        if (displayName === '')
          return show(call, call.params, call.form, { displayName: 'Enter the name of the store.' })
        const businessId = call.params.businessId
        const storeId = call.form.storeId
        const made = await addStore({ ...ports, db: call.db }, { businessId, storeId, displayName })
        return isRejection(made) ? made : redirect(addressOf(`${path}/${businessId}`, { done: 'store' }))
      },
    }),
  ]
}

const NewTerminal = Type.Object({ once: Uuid, name: Line(255, 0), serialNumber: Line(255, 0) })

function newTerminalPages(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyPage[] {
  const definition = {
    path: `${path}/:businessId/stores/:storeId/terminals/new`,
    params: ofStore,
    operation: 'businesses.write',
  } as const
  const show = async (
    call: PageCall,
    of: Static<typeof ofStore>,
    { once, name, serialNumber }: Static<typeof NewTerminal>,
    problems: Problems = {},
  ) => {
    const found = await getBusiness({ db: call.db }, { businessId: of.businessId, within: {} })
    if (isRejection(found)) return found
    const store = openStoreOf(found, of.storeId)
    if (store === undefined) return reject('STORE_NOT_FOUND', 'This merchant has no open store with this id.')
    const main = html`${pageHead({ title: 'Add a terminal', above: above(found) })}
<p>The terminal belongs to ${store.displayName}. The next page shows how to activate the terminal.</p>
${form({
  csrf: call.csrf,
  hidden: { once },
  problems,
  body: html`${textField({ name: 'name', label: 'Name', hint: 'Staff read the name, for example Till 1.', maxlength: 255, autocomplete: 'off', value: name, problem: problems.name })}
${textField({ name: 'serialNumber', label: 'Serial number', hint: 'On the back of the terminal.', maxlength: 255, autocomplete: 'off', value: serialNumber, problem: problems.serialNumber })}
${buttons(button('Add the terminal', { kind: 'primary' }), linkButton('Go back', `${path}/${found.business.businessId}`))}`,
})}`
    return framed(call, { title: 'Add a terminal', part: 'merchants', main, width: 'narrow', problems })
  }
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'showNewTerminal' },
      handle: call => show(call, call.params, { once: ports.newId(), name: '', serialNumber: '' }),
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'sendNewTerminal', form: NewTerminal },
      async handle(call) {
        const [name, serialNumber] = [call.form.name.trim(), call.form.serialNumber.trim()]
        const problems: Problems = {
          ...(name === '' && { name: 'Enter a name.' }),
          ...(serialNumber === '' && { serialNumber: 'Enter the serial number.' }),
        }
        if (Object.keys(problems).length > 0) return show(call, call.params, call.form, problems)
        const [businessId, storeId] = [call.params.businessId, call.params.storeId]
        const deviceId = call.form.once
        const made = await addDevice({ ...ports, db: call.db }, { businessId, storeId, deviceId, name, serialNumber })
        return isRejection(made) ? made : redirect(`${OPERATOR_PATHS.terminals}/${deviceId}`)
      },
    }),
  ]
}

function openStoreOf({ stores }: BusinessWithStores, storeId: string) {
  return stores.find(store => store.storeId === storeId && store.status !== 'CLOSED')
}

const Invitation = Type.Object({ invitationId: Uuid, email: Text(254, 0), role: Type.Enum([...MERCHANT_ROLES]) })

const ROLE_DETAILS = {
  OWNER: 'Manages payment, subscriptions and people',
  MANAGER: 'Manages subscriptions',
  VIEWER: 'Sees everything and changes nothing',
} as const

function invitePages(ports: Parameters<typeof invite>[0]): AnyPage[] {
  const definition = { path: `${path}/:businessId/invite`, params: ofOne, operation: 'people.manage' } as const
  const show = async (
    call: PageCall,
    { businessId }: Static<typeof ofOne>,
    { invitationId, email, role }: Static<typeof Invitation>,
    problems: Problems = {},
    status?: number,
  ) => {
    const found = await getBusiness({ db: call.db }, { businessId, within: {} })
    if (isRejection(found)) return found
    const main = html`${pageHead({ title: 'Invite a person', above: above(found) })}
<p>We e-mail them a link to join. The link works once and expires after seven days.</p>
${form({
  csrf: call.csrf,
  hidden: { invitationId },
  problems,
  body: html`${textField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'off', maxlength: 254, value: email, problem: problems.email })}
${choices({
  ...{ name: 'role', legend: 'Role', value: role },
  options: MERCHANT_ROLES.map(value => ({ value, text: roleWord(value), detail: ROLE_DETAILS[value] })),
})}
${buttons(button('Send the invitation', { kind: 'primary' }), linkButton('Go back', `${path}/${found.business.businessId}`))}`,
})}`
    return framed(call, { title: 'Invite a person', part: 'merchants', main, width: 'narrow', problems }, { status })
  }
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'showInviteMerchant' },
      handle: call => show(call, call.params, { invitationId: ports.newId(), email: '', role: 'OWNER' }),
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'inviteMerchant', form: Invitation },
      async handle(call) {
        const { role } = call.form
        const email = call.form.email.trim()
        const again = (problems: Problems, status?: number) =>
          show(call, call.params, { ...call.form, email }, problems, status)
        if (!EMAIL.test(email)) return again({ email: 'Enter an e-mail address.' })
        const found = await getBusiness({ db: call.db }, { businessId: call.params.businessId, within: {} })
        if (isRejection(found)) return found
        const { businessId } = found.business
        const invitedBy = signedIn(call.principal)?.userId
        const made = await invite(
          { ...ports, db: call.db },
          {
            ...{ workspace: { kind: 'MERCHANT', businessId }, email, role },
            ...{ invitationId: call.form.invitationId, ...(invitedBy !== undefined && { invitedBy }) },
          },
        )
        if (!isRejection(made)) return redirect(addressOf(`${path}/${businessId}`, { done: 'invited' }))
        if (made.rejected === 'ALREADY_MEMBER') return again({ email: 'This person is already a member.' }, 409)
        return again(problemsOf(made), PROBLEMS[made.rejected].status)
      },
    }),
  ]
}
