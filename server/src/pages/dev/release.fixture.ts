import assert from 'node:assert/strict'
import type { Seen, Visitor } from '../merchant/merchant.fixture.ts'

/** The fields of the plan editor for a plan of $5.00 a month. */
export const PLAN_ENTRIES = {
  ...{ name: 'Pro', description: '', country: 'us', currency: 'usd', price: '5.00' },
  ...{ intervalCount: '1', interval: 'MONTH', scope: 'BUSINESS', cancelPolicy: 'BILLING' },
  ...{ trial: '0', trialEligibility: 'ONCE_PER_BUSINESS', grace: '' },
}

/** Opens the editor of a new plan and saves the entries. `path`: of the app. */
export async function enterPlan(visitor: Omit<Visitor, 'person'>, path: string, entries: object = {}): Promise<Seen> {
  const { text } = await visitor.get(`${path}/release/plans`)
  const editor = new RegExp(`${path}/release/plans/[0-9a-f-]{36}(?="[^>]*>Add)`).exec(text)?.[0] ?? assert.fail(text)
  return visitor.send(editor, { ...PLAN_ENTRIES, ...entries })
}

/** Goes through the four steps of a new release. */
export async function sendRelease(visitor: Omit<Visitor, 'person'>, path: string, version = '1.0'): Promise<Seen> {
  const begun = await visitor.send(`${path}/release`, { version }, `${path}/release`)
  assert.equal(begun.location, `${path}/release/plans`, begun.words)
  const saved = await enterPlan(visitor, path)
  assert.equal(saved.location, `${path}/release/plans`, saved.words)
  const noted = await visitor.send(`${path}/release/notes`, { notes: 'New prices' })
  assert.equal(noted.location, `${path}/release/send`, noted.words)
  return visitor.send(`${path}/release/send`)
}
