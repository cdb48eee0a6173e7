import { reject } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { createOrganization } from './create.ts'
import { NewOrganization, OrganizationAnswer, OrganizationPath, organizationToJson } from './schema.ts'
import { findOrganization } from './store.ts'

export function organizationRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/organizations',
      name: 'createOrganization',
      operation: 'organizations.create',
      summary: 'Make a developer organization',
      body: NewOrganization,
      answers: { 201: OrganizationAnswer },
      async handle({ body: { name, email }, db }) {
        return answer(201, organizationToJson(await createOrganization({ ...ports, db }, { name, email })))
      },
    }),
    route({
      method: 'GET',
      path: '/organizations/:organizationId',
      name: 'getOrganization',
      operation: 'operations.read',
      summary: 'Read an organization',
      params: OrganizationPath,
      answers: { 200: OrganizationAnswer },
      rejections: ['ORGANIZATION_NOT_FOUND'],
      async handle({ params, db }) {
        const organization = await findOrganization(db.sql, params.organizationId)
        if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
        return answer(200, organizationToJson(organization))
      },
    }),
  ]
}
