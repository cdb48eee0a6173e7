import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTRIES } from './countries.ts'
import { checkPlanDefinition, type PlanDefinitionInput } from './plan-definition.ts'
import { isRejection } from './rejection.ts'

const US = { country: 'US', currency: 'USD', value: 500 }
const least: PlanDefinitionInput = { name: 'Basic', amounts: [US], interval: 'MONTH', scope: 'BUSINESS' }

test('absent fields get their defaults', () => {
  assert.deepEqual(checkPlanDefinition(least, 'plans[0]'), {
    ...least,
    description: '',
    intervalCount: 1,
    trialPeriodDays: 0,
    trialEligibility: 'ONCE_PER_BUSINESS',
    startPolicy: 'IMMEDIATE',
    cancelPolicy: 'IMMEDIATE',
    gracePeriodDays: 7,
  })
})

test('given fields are stored, and unknown fields are removed', () => {
  const given = {
    ...least,
    description: 'All of it',
    intervalCount: 12,
    trialPeriodDays: 14,
    trialEligibility: 'ONCE_PER_BUSINESS',
    startPolicy: 'IMMEDIATE',
    cancelPolicy: 'BILLING',
    gracePeriodDays: 0,
    scope: 'DEVICE',
  }
  const amounts = [{ ...US, note: 'x' }]
  assert.deepEqual(checkPlanDefinition({ ...given, amounts, unknown: 1 } as PlanDefinitionInput, 'p'), given)
})

const graces: [string, number, number][] = [
  ['DAY', 1, 1],
  ['WEEK', 7, 7],
  ['MONTH', 7, 28],
  ['YEAR', 7, 30],
]
for (const [interval, standard, most] of graces) {
  test(`grace of a ${interval} is ${standard} days by default and ${most} at most`, () => {
    const graceOf = (days?: number) =>
      checkPlanDefinition({ ...least, interval, ...(days === undefined ? {} : { gracePeriodDays: days }) }, 'p')
    assert.partialDeepStrictEqual(graceOf(), { gracePeriodDays: standard })
    assert.partialDeepStrictEqual(graceOf(0), { gracePeriodDays: 0 })
    assert.partialDeepStrictEqual(graceOf(most), { gracePeriodDays: most })
    for (const wrong of [most + 1, -1, 0.5, Number.NaN]) assertRejected(graceOf(wrong), 'p.gracePeriodDays')
  })
}

const codes = [...COUNTRIES]
const everywhere = codes.map(country => ({ country, currency: 'USD', value: 50 }))

const accepted: [string, Partial<PlanDefinitionInput>][] = [
  ['free', { amounts: [{ ...US, value: 0 }] }],
  ['the highest price', { amounts: [{ ...US, value: 99_999_999 }] }],
  ['the highest price of a small unit', { amounts: [{ country: 'ID', currency: 'IDR', value: 9_999_999_999 }] }],
  ['the least price', { amounts: [{ ...US, value: 50 }] }],
  ['every country there is', { amounts: everywhere }],
  ['two countries, one currency', { amounts: [US, { ...US, country: 'EC' }] }],
  ['the longest trial', { trialPeriodDays: 365 }],
  ['the longest name, counted in characters', { name: '😀'.repeat(255) }],
  ['the longest description', { description: 'd'.repeat(2000) }],
  ['a store', { scope: 'STORE' }],
]
for (const [name, change] of accepted) {
  test(`accepted: ${name}`, () => {
    const definition = checkPlanDefinition({ ...least, ...change }, 'p')
    assert.ok(!isRejection(definition), JSON.stringify(definition))
  })
}

const rejected: [string, Partial<PlanDefinitionInput>][] = [
  ['name', { name: '' }],
  ['name', { name: 'n'.repeat(256) }],
  ['description', { description: 'd'.repeat(2001) }],
  ['amounts', { amounts: [] }],
  ['amounts', { amounts: [...everywhere, US, US] }],
  ['amounts[1].country', { amounts: [US, US] }],
  ['amounts[0].country', { amounts: [{ ...US, country: 'us' }] }],
  ['amounts[0].country', { amounts: [{ ...US, country: 'UK' }] }],
  ['amounts[0].country', { amounts: [{ ...US, country: '' }] }],
  ['amounts[1].currency', { amounts: [US, { ...US, country: 'DE', currency: 'eur' }] }],
  ['amounts[0].currency', { amounts: [{ ...US, currency: 'XXX' }] }],
  ['amounts[0].value', { amounts: [{ ...US, value: -1 }] }],
  ['amounts[0].value', { amounts: [{ ...US, value: 4.5 }] }],
  ['amounts[0].value', { amounts: [{ ...US, value: 100_000_000 }] }],
  ['amounts[0].value', { amounts: [{ ...US, value: 100_000_000 }] }],
  ['amounts[0].value', { amounts: [{ country: 'VN', currency: 'VND', value: 10_000_000_000 }] }],
  ['amounts[0].value', { amounts: [{ ...US, value: 49 }] }],
  ['amounts[0].value', { amounts: [{ ...US, currency: 'KWD', value: 505 }] }],
  ['trialPeriodDays', { trialPeriodDays: 366 }],
  ['trialPeriodDays', { trialPeriodDays: -1 }],
  ['trialPeriodDays', { trialPeriodDays: 1.5 }],
  ['intervalCount', { intervalCount: 0 }],
  ['intervalCount', { intervalCount: 13 }],
  ['intervalCount', { intervalCount: 1.5 }],
  ['interval', { interval: 'QUARTER' }],
  ['interval', { interval: 'month' }],
  ['scope', { scope: 'TILL' }],
  ['trialEligibility', { trialEligibility: 'NEVER' }],
  ['startPolicy', { startPolicy: 'LATER' }],
  ['cancelPolicy', { cancelPolicy: 'NEVER' }],
]
for (const [path, change] of rejected) {
  test(`a wrong field is rejected, naming ${path}: ${JSON.stringify(change).slice(0, 60)}`, () => {
    assertRejected(checkPlanDefinition({ ...least, ...change }, 'plans[3]'), `plans[3].${path}`)
  })
}

function assertRejected(result: unknown, path: string): void {
  assert.ok(isRejection(result), JSON.stringify(result))
  assert.equal(result.rejected, 'INVALID_PARAMETER')
  assert.equal(result.fields?.[0]?.path, path)
}
