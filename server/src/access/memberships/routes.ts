import { isRejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { changeRole, removePerson, unknownMembership } from './change.ts'
import { MembershipPath, PeopleAnswer, PersonAnswer, personToJson, RoleChange, WorkspaceQuery } from './schema.ts'
import { findMembership, listPeople } from './store.ts'
import { subjectOf, subjectOfNamed, workspaceOf } from './workspace.ts'

export function membershipRoutes(ports: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  const subjectOfMembership = async (sql: Sql, membershipId: string): Promise<Subject> => {
    const membership = await findMembership(sql, membershipId)
    return membership === null ? {} : subjectOf(membership.workspace)
  }
  return [
    route({
      method: 'GET',
      path: '/memberships',
      name: 'listPeople',
      operation: 'people.read',
      summary: 'List the people of a business, an organization or the operator',
      query: WorkspaceQuery,
      answers: { 200: PeopleAnswer },
      rejections: ['BUSINESS_NOT_FOUND'],
      subject: ({ query }) => subjectOfNamed(query),
      async handle({ query, db }) {
        const workspace = workspaceOf(query)
        return isRejection(workspace)
          ? workspace
          : answer(200, { list: (await listPeople(db.sql, workspace)).map(personToJson) })
      },
    }),
    route({
      method: 'PATCH',
      path: '/memberships/:membershipId',
      name: 'changeRole',
      operation: 'people.manage',
      summary: 'Change the role of a person',
      params: MembershipPath,
      body: RoleChange,
      answers: { 200: PersonAnswer },
      rejections: ['MEMBERSHIP_NOT_FOUND', 'LAST_ADMIN', 'BUSINESS_NOT_FOUND'],
      subject: ({ params }) => subjectOfMembership(ports.db.sql, params.membershipId),
      async handle({ params: { membershipId }, body: { role }, db }) {
        const changed = await changeRole({ ...ports, db }, membershipId, role)
        if (isRejection(changed)) return changed
        const people = await listPeople(db.sql, changed.workspace)
        const person = people.find(one => one.membershipId === changed.membershipId)
        return person === undefined ? unknownMembership() : answer(200, personToJson(person))
      },
    }),
    route({
      method: 'DELETE',
      path: '/memberships/:membershipId',
      name: 'removePerson',
      operation: 'people.manage',
      summary: 'Remove a person from a workspace',
      params: MembershipPath,
      answers: { 204: null },
      rejections: ['MEMBERSHIP_NOT_FOUND', 'LAST_ADMIN', 'BUSINESS_NOT_FOUND'],
      subject: ({ params }) => subjectOfMembership(ports.db.sql, params.membershipId),
      async handle({ params: { membershipId }, db }) {
        const removed = await removePerson({ ...ports, db }, membershipId)
        return isRejection(removed) ? removed : answer(204)
      },
    }),
  ]
}
