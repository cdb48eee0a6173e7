import { Type } from 'typebox'
import { pageOfBusinesses } from '../../access/business-lists/list.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { COUNTRIES } from '../../core/countries.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { addStore } from '../../merchants/businesses/add-store.ts'
import { createBusiness } from '../../merchants/businesses/create.ts'
import { addDevice } from '../../merchants/businesses/devices.ts'
import { addPaymentMethod, saveAtGateway } from '../../money/billing/payment-method.ts'
import { createTestClock } from '../../money/test-clocks/manage.ts'
import type { Db } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import type { Crumb } from '../../platform/web/components/breadcrumb.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { button, buttons, form, type Problems, selectField, textField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, pager, table } from '../../platform/web/components/table.ts'
import { day, moment } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { COUNTRY_OPTIONS, countryName } from '../countries.ts'
import { devPage, framed, type Own } from './dev-page.ts'

const path = DEVELOPER_PATHS.testMerchants
const ON_A_PAGE = 50

/** The page of a test merchant. */
export const pathOfMerchant = ({ businessId }: Pick<BusinessRecord, 'businessId'>) => `${path}/${businessId}`

/** The pages above the pages of a test merchant. */
export const aboveOf = (business: BusinessRecord): Crumb[] => [
  { href: path, text: 'Test merchants' },
  { href: pathOfMerchant(business), text: business.doingBusinessAs },
]

/** The organization's test merchants, and the form that creates a test merchant. */
export function testMerchantPages(ports: Ports): AnyPage[] {
  return [
    devPage({
      ...{ method: 'GET', path, name: 'showTestMerchants', operation: 'apps.read' },
      query: Type.Object({ after: Type.Optional(Uuid) }),
      handle: (call, own) => listed(call, own, { name: 'Test café', country: 'US' }),
    }),
    devPage({
      ...{ method: 'POST', path, name: 'createTestMerchant', operation: 'businesses.create' },
      form: Type.Object({ name: Text(200, 0), country: Text(255, 0) }),
      async handle(call, own) {
        const entered = { name: call.form.name.trim(), country: call.form.country }
        const problems: Problems = {
          ...(entered.name === '' && { name: 'Enter a name.' }),
          ...(!COUNTRIES.has(entered.country) && { country: 'Choose a country.' }),
        }
        if (Object.keys(problems).length > 0) return listed(call, own, entered, problems)
        const made = await createAll({ ...ports, db: call.db }, { ...entered, organizationId: own.organizationId })
        if (!isRejection(made)) return redirect(addressOf(pathOfMerchant(made), { done: 'created' }))
        const field = made.fields?.[0]?.path === 'country' ? 'country' : 'name'
        return listed(call, own, entered, { [field]: made.fields?.[0]?.problem ?? made.developerMessage })
      },
    }),
  ]
}

/** A test merchant with a store, a terminal, a clock at the current time, and a card that pays. */
async function createAll(
  ports: Ports,
  { name, country, organizationId }: { name: string; country: string; organizationId: string },
): Promise<BusinessRecord | Rejection> {
  const business = await createBusiness(ports, {
    ...{ legalName: name, country, organizationId, type: 'TEST_MERCHANT' },
    emailAddress: 'test-merchant@example.com',
  })
  if (isRejection(business)) return business
  const { businessId } = business
  const store = await addStore(ports, { businessId, displayName: 'Main store' })
  if (isRejection(store)) return store
  const { storeId } = store
  const device = await addDevice(ports, {
    businessId,
    storeId,
    name: 'Till 1',
    serialNumber: `TEST-${storeId.slice(-12)}`,
  })
  if (isRejection(device)) return device
  const clock = await createTestClock(ports, { businessId, now: ports.clock.now() })
  if (isRejection(clock)) return clock
  const saved = await saveCard(ports, { businessId, token: 'tok_ok', key: ports.newId() })
  return saved === null ? business : saved
}

/** Saves a card of the sandbox as the default. */
export async function saveCard(
  ports: Ports,
  { businessId, token, key }: { businessId: string; token: string; key: string },
): Promise<null | Rejection> {
  const saved = await saveAtGateway(ports, { businessId, gateway: 'sandbox', token, key })
  if (isRejection(saved)) return saved
  const added = await addPaymentMethod(ports, { businessId, saved })
  return isRejection(added) ? added : null
}

/** A test merchant of the organization. Any other business is not found. */
export async function findOwn(
  { db }: { readonly db: Db },
  { organizationId }: Own,
  businessId: string,
): Promise<BusinessRecord | Rejection> {
  const found = await pageOfBusinesses({ db }, { organizationId, type: 'TEST_MERCHANT', q: businessId }, { limit: 1 })
  if (isRejection(found)) return found
  const [business] = found.items
  return business?.organizationId === organizationId
    ? business
    : reject('RESOURCE_NOT_FOUND', 'There is no test merchant with this id.')
}

async function listed(call: PageCall, own: Own, entered: { name: string; country: string }, problems: Problems = {}) {
  const { after } = (call.query ?? {}) as { after?: string }
  const { organizationId } = own
  const asked = { organizationId, type: 'TEST_MERCHANT' } as const
  const found = await pageOfBusinesses({ db: call.db }, asked, { limit: ON_A_PAGE, ...(after && { after }) })
  if (isRejection(found)) return found
  const mine = found.items.filter(one => one.organizationId === organizationId)
  const main = html`${pageHead({ title: 'Test merchants', lead: 'A test merchant has a clock of its own: months of billing pass in seconds, and no money moves.' })}
${
  mine.length === 0
    ? emptyState('No test merchants yet', 'Create one to subscribe it to your plans.')
    : table<BusinessRecord>({
        caption: 'Test merchants, newest first',
        rows: mine,
        columns: [
          { name: 'Name', cell: one => html`<a href="${pathOfMerchant(one)}">${one.doingBusinessAs}</a>` },
          { name: 'Country', cell: ({ country }) => countryName(country) },
          { name: 'Clock', cell: ({ clock }) => (clock ? moment(clock.now) : 'Real time') },
          { name: 'Created', cell: ({ createdAt }) => day(createdAt) },
        ],
      })
}
${pager('More test merchants', { path, after, next: found.next })}
${
  own.may('businesses.create') &&
  html`<h2>New test merchant</h2>
<p>It comes with a store, a terminal, a clock and a card that pays.</p>
${form({
  csrf: call.csrf,
  action: path,
  problems,
  body: html`${textField({ name: 'name', label: 'Name', maxlength: 200, autocomplete: 'off', value: entered.name, problem: problems.name })}
${selectField({ name: 'country', label: 'Country', hint: 'Your plans are sold by country.', options: COUNTRY_OPTIONS, value: entered.country, problem: problems.country })}
${buttons(button('Create a test merchant', { kind: 'primary' }))}`,
})}`
}`
  return framed(call, { title: 'Test merchants', part: 'testMerchants', main, problems })
}
