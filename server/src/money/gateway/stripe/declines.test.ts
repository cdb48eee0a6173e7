import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declined } from './charge.ts'

test('a decline is hard when no later attempt can succeed, and soft otherwise', () => {
  const severityOf = (declineCode: string) => declined({ code: 'card_declined', declineCode }).severity
  for (const code of ['stolen_card', 'lost_card', 'pickup_card', 'invalid_account', 'revocation_of_authorization']) {
    assert.equal(severityOf(code), 'hard', code)
  }
  for (const code of ['insufficient_funds', 'generic_decline', 'do_not_honor', 'try_again_later', 'made_up_tomorrow']) {
    assert.equal(severityOf(code), 'soft', code)
  }
})

test("the issuer's advice not to retry overrides the table", () => {
  const outcome = declined({ code: 'card_declined', declineCode: 'generic_decline', adviceCode: 'do_not_try_again' })
  assert.deepEqual(outcome, { kind: 'declined', severity: 'hard', code: 'generic_decline' })
})

test('without a decline code the error code is the reason: an expired card is a hard decline', () => {
  assert.deepEqual(declined({ code: 'expired_card' }), { kind: 'declined', severity: 'hard', code: 'expired_card' })
  assert.deepEqual(declined({}), { kind: 'declined', severity: 'soft', code: 'declined' })
})
