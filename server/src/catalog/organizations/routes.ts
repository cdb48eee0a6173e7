import { addressOf } from '../../core/business-record.ts'
import { given } from '../../core/given.ts'
import { parseSlice } from '../../core/page.ts'
import { organizationOf } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { createOrganization } from './create.ts'
import { pageOfOrganizations } from './list.ts'
import { nameSeller } from './name-seller.ts'
import {
  NewOrganization,
  OrganizationAnswer,
  OrganizationChanges,
  OrganizationListAnswer,
  OrganizationPath,
  OrganizationsQuery,
  organizationToJson,
  SellerBody,
  SellerJson,
  sellerToJson,
} from './schema.ts'
import { findSeller } from './seller-store.ts'
import { findOrganization } from './store.ts'
import { updateOrganization } from './update.ts'

export function organizationRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/organizations',
      name: 'createOrganization',
      operation: 'organizations.create',
      summary: 'Create a developer organization',
      body: NewOrganization,
      answers: { 201: OrganizationAnswer },
      async handle({ body: { name, email }, db }) {
        return answer(201, organizationToJson(await createOrganization({ ...ports, db }, { name, email })))
      },
    }),
    route({
      method: 'GET',
      path: '/organizations',
      name: 'listOrganizations',
      operation: 'organizations.read',
      summary: 'List organizations by name, e-mail or id, newest first',
      query: OrganizationsQuery,
      answers: { 200: OrganizationListAnswer },
      subject: ({ query, principal }) => organizationOf(principal, query.organizationId),
      async handle({ query, principal, db }) {
        const slice = parseSlice(query)
        if (isRejection(slice)) return slice
        const filter = { ...organizationOf(principal, query.organizationId), ...given({ q: query.q }) }
        const page = await pageOfOrganizations({ db }, filter, slice)
        if (isRejection(page)) return page
        const links = nextLinks(`${ports.settings.baseUrl}/organizations`, filter, slice, page.next)
        return answer(200, { organizations: page.items.map(organizationToJson), links })
      },
    }),
    route({
      method: 'GET',
      path: '/organizations/:organizationId',
      name: 'getOrganization',
      operation: 'operations.read',
      summary: 'Get an organization',
      params: OrganizationPath,
      answers: { 200: OrganizationAnswer },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      async handle({ params, db }) {
        const organization = await findOrganization(db.sql, params.organizationId)
        if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
        return answer(200, organizationToJson(organization))
      },
    }),
    route({
      method: 'PATCH',
      path: '/organizations/:organizationId',
      name: 'updateOrganization',
      operation: 'organizations.manage',
      summary: 'Change the name or e-mail of an organization. Issued invoices keep the old values',
      params: OrganizationPath,
      body: OrganizationChanges,
      answers: { 200: OrganizationAnswer },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      async handle({ params, body: { name, email }, db }) {
        const changes = given({ name, email })
        const organizationId = params.organizationId.toLowerCase()
        const organization = await updateOrganization({ ...ports, db }, { organizationId, ...changes })
        return isRejection(organization) ? organization : answer(200, organizationToJson(organization))
      },
    }),
  ]
}

/** Routes of the seller that invoices name. */
export function sellerRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/organizations/:organizationId/seller',
      name: 'getSeller',
      operation: 'organizations.read',
      summary: 'Get the seller data of an organization for new invoices',
      params: OrganizationPath,
      answers: { 200: SellerJson },
      rejections: ['RESOURCE_NOT_FOUND'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      async handle({ params, db }) {
        const seller = await findSeller(db.sql, params.organizationId)
        if (seller === null)
          return reject(
            'RESOURCE_NOT_FOUND',
            'The organization has set no seller, so invoices show its name and e-mail.',
          )
        return answer(200, sellerToJson(seller))
      },
    }),
    route({
      method: 'PUT',
      path: '/organizations/:organizationId/seller',
      name: 'nameSeller',
      operation: 'organizations.manage',
      summary: 'Set the seller data of an organization for new invoices',
      params: OrganizationPath,
      body: SellerBody,
      answers: { 200: SellerJson },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      subject: ({ params }) => ({ organizationId: params.organizationId.toLowerCase() }),
      async handle({ params, body: { legalName, address, taxId }, db }) {
        const named = given({ legalName, address: address && addressOf(address), taxId })
        const organizationId = params.organizationId.toLowerCase()
        const seller = await nameSeller({ ...ports, db }, { organizationId, named })
        return isRejection(seller) ? seller : answer(200, sellerToJson(seller))
      },
    }),
  ]
}
