import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { nameSeller } from './name-seller.ts'
import { addressOf, OrganizationPath, SellerBody, SellerJson, sellerToJson } from './schema.ts'
import { findSeller } from './seller-store.ts'

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
        const named = {
          legalName,
          ...(address === undefined ? {} : { address: addressOf(address) }),
          ...(taxId === undefined ? {} : { taxId }),
        }
        const organizationId = params.organizationId.toLowerCase()
        const seller = await nameSeller({ ...ports, db }, { organizationId, named })
        return isRejection(seller) ? seller : answer(200, sellerToJson(seller))
      },
    }),
  ]
}
