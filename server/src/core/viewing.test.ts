import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, RIGHTS } from './rights.ts'
import { isTakenByRole } from './taken-by-role.ts'
import { opensDuringViewing, viewerOf } from './viewing.ts'

const PERSON = { userId: 'u', sessionId: 's', membershipId: 'm' }

test('a viewing has the rights of a viewer and no form', () => {
  for (const workspace of [
    { kind: 'DEVELOPER', organizationId: 'o' },
    { kind: 'MERCHANT', businessId: 'b' },
  ] as const) {
    const viewer = viewerOf(workspace, PERSON)
    for (const operation of Object.keys(RIGHTS) as Operation[]) {
      assert.equal(opensDuringViewing({ method: 'POST', operation }), false)
      const isOpen = opensDuringViewing({ method: 'GET', operation }) && !isTakenByRole(viewer, operation)
      assert.equal(isOpen, operation.endsWith('.read') || operation === 'public', operation)
    }
  }
})
