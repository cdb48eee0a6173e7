import { locationOfCaller, organizationOf, type Principal } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { Db } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { addStore } from './add-store.ts'
import { createBusiness } from './create.ts'
import { addDevice, renewActivationCode } from './devices.ts'
import { getBusiness } from './get.ts'
import {
  ActivationCodeAnswer,
  activationCodeToJson,
  BusinessAnswer,
  BusinessChanges,
  BusinessPath,
  BusinessQuery,
  businessToJson,
  DevicePath,
  editsOf,
  NewBusiness,
  NewDeviceAnswer,
  NewDeviceBody,
  NewStore,
  newDeviceToJson,
  StoreAnswer,
  StorePath,
  storeToJson,
} from './schema.ts'
import { findBusinessOfDevice } from './store.ts'
import { updateBusiness } from './update.ts'

export function businessRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/businesses',
      name: 'createBusiness',
      operation: 'businesses.create',
      summary: 'Create a merchant or a test merchant',
      body: NewBusiness,
      answers: { 201: BusinessAnswer },
      rejections: ['ORGANIZATION_NOT_FOUND', 'QUOTA_EXCEEDED'],
      subject: ({ body, principal }) => organizationOf(principal, body.organizationId),
      async handle({ body, principal, db }) {
        const { legalName, emailAddress, country, type } = body
        const required = { legalName, emailAddress, country, type }
        const owner = organizationOf(principal, body.organizationId)
        const made = await createBusiness({ ...ports, db }, { ...editsOf(body), ...required, ...owner })
        if (isRejection(made)) return made
        return answer(201, businessToJson({ business: made, stores: [], devices: [] }, shownTo(principal)))
      },
    }),
    route({
      method: 'GET',
      path: '/businesses',
      name: 'findBusiness',
      operation: 'businesses.read',
      summary: 'Find the business of a terminal',
      query: BusinessQuery,
      answers: { 200: BusinessAnswer },
      rejections: ['BUSINESS_NOT_FOUND'],
      async subject({ query, db }) {
        const deviceId = uuidOfUrn(query.storeDeviceId)
        const business = await findBusinessOfDevice(db.sql, deviceId)
        // An unassigned device looks like another business's: its own id matches no business.
        return { businessId: business?.businessId ?? deviceId }
      },
      async handle({ query, principal, db }) {
        const business = await findBusinessOfDevice(db.sql, uuidOfUrn(query.storeDeviceId))
        if (business === null) return reject('BUSINESS_NOT_FOUND', 'No business has a device with this id.')
        return businessAnswer(db, business.businessId, principal)
      },
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId',
      name: 'getBusiness',
      operation: 'businesses.read',
      summary: 'Get a business with its stores and devices',
      params: BusinessPath,
      answers: { 200: BusinessAnswer },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      handle: ({ params, principal, db }) => businessAnswer(db, params.businessId, principal),
    }),
    route({
      method: 'PATCH',
      path: '/businesses/:businessId',
      name: 'updateBusiness',
      operation: 'businesses.write',
      summary: 'Update a business',
      params: BusinessPath,
      body: BusinessChanges,
      answers: { 200: BusinessAnswer },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params: { businessId }, body, principal, db }) {
        const updated = await updateBusiness({ ...ports, db }, { businessId, changes: editsOf(body) })
        return isRejection(updated) ? updated : businessAnswer(db, businessId, principal)
      },
    }),
    route({
      method: 'POST',
      path: '/businesses/:businessId/stores',
      name: 'addStore',
      operation: 'businesses.write',
      summary: 'Create a store',
      params: BusinessPath,
      body: NewStore,
      answers: { 201: StoreAnswer },
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params: { businessId }, body: { displayName }, db }) {
        const store = await addStore({ ...ports, db }, { businessId: businessId.toLowerCase(), displayName })
        return isRejection(store) ? store : answer(201, storeToJson(store))
      },
    }),
    route({
      method: 'POST',
      path: '/businesses/:businessId/stores/:storeId/devices',
      name: 'addDevice',
      operation: 'businesses.write',
      summary: 'Create a terminal and get its activation code',
      params: StorePath,
      body: NewDeviceBody,
      answers: { 201: NewDeviceAnswer },
      rejections: ['STORE_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params, body: { name, serialNumber }, db }) {
        const ids = { businessId: params.businessId.toLowerCase(), storeId: params.storeId.toLowerCase() }
        const made = await addDevice({ ...ports, db }, { ...ids, name, serialNumber })
        return isRejection(made) ? made : answer(201, newDeviceToJson(made))
      },
    }),
    route({
      method: 'POST',
      path: '/businesses/:businessId/devices/:deviceId/activation-code',
      name: 'renewActivationCode',
      operation: 'businesses.write',
      summary: 'Create a new activation code for a terminal',
      params: DevicePath,
      answers: { 201: ActivationCodeAnswer },
      rejections: ['DEVICE_NOT_FOUND'],
      subject: ({ params }) => ({ businessId: params.businessId.toLowerCase() }),
      async handle({ params, db }) {
        const ids = { businessId: params.businessId.toLowerCase(), deviceId: uuidOfUrn(params.deviceId) }
        const made = await renewActivationCode({ ...ports, db }, ids)
        return isRejection(made) ? made : answer(201, activationCodeToJson(made))
      },
    }),
  ]
}

async function businessAnswer(db: Db, businessId: string, principal: Principal) {
  const found = await getBusiness({ db }, { businessId, within: locationOfCaller(principal) })
  return isRejection(found) ? found : answer(200, businessToJson(found, shownTo(principal)))
}

/** The owner of a test merchant is shown to developers and the operator, billing data also to the merchant; apps see a merchant. */
function shownTo({ kind }: Principal): { showsOwner: boolean; showsBilling: boolean } {
  const showsOwner = kind === 'operator' || kind === 'developer'
  return { showsOwner, showsBilling: showsOwner || kind === 'merchant' }
}
