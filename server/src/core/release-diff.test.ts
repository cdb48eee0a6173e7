import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Plan } from './plan.ts'
import { compareReleases } from './release-diff.ts'

const AT = new Date('2026-03-01T00:00:00Z')
const PLAN: Plan = {
  ...{ planId: 'p', appId: 'a', releaseId: 'r', name: 'Basic', description: '', interval: 'MONTH', intervalCount: 1 },
  ...{ scope: 'BUSINESS' },
  amounts: [
    { country: 'US', currency: 'USD', value: 500 },
    { country: 'DE', currency: 'EUR', value: 400 },
  ],
  ...{ trialPeriodDays: 0, trialEligibility: 'ONCE_PER_BUSINESS', startPolicy: 'IMMEDIATE', cancelPolicy: 'IMMEDIATE' },
  ...{ gracePeriodDays: 7, status: 'INACTIVE', createdAt: AT, updatedAt: AT },
}
const of = (plans: readonly Plan[], permissions: readonly string[] = []) => ({
  plans,
  release: {
    package: {
      ...{ size: 1, sha256: '', contentType: '' },
      apk: { packageName: 'a.b', versionCode: 1, signerSha256: '', permissions },
    },
  },
})

test('every plan of a first release is new, and every permission is added', () => {
  const diff = compareReleases(of([PLAN], ['INTERNET']), null)
  assert.deepEqual(diff, {
    plans: [{ plan: PLAN, changed: [] }],
    addedPermissions: ['INTERNET'],
    removedPermissions: [],
  })
})

test('a plan of the same name shows the differing terms, and another order of amounts is not a difference', () => {
  const next = {
    ...PLAN,
    amounts: PLAN.amounts.toReversed(),
    trialPeriodDays: 14,
    interval: 'YEAR' as const,
    planId: 'q',
  }
  const { plans } = compareReleases(of([next, { ...PLAN, name: 'Large' }]), of([PLAN]))
  assert.deepEqual(
    plans.map(({ plan, earlier, changed }) => [plan.name, earlier?.planId, changed]),
    [
      ['Basic', 'p', ['interval', 'trialPeriodDays']],
      ['Large', undefined, []],
    ],
  )
})

test('a new price in one country is a difference', () => {
  const next = { ...PLAN, amounts: [{ country: 'US', currency: 'USD', value: 501 }, ...PLAN.amounts.slice(1)] }
  assert.deepEqual(compareReleases(of([next]), of([PLAN])).plans[0]?.changed, ['amounts'])
})

test('permissions are compared with the earlier release', () => {
  const diff = compareReleases(of([], ['CAMERA', 'INTERNET']), of([], ['INTERNET', 'LOCATION']))
  assert.deepEqual([diff.addedPermissions, diff.removedPermissions], [['CAMERA'], ['LOCATION']])
})
