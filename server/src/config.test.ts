import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'

test('an operator key that would be taken for the token of a session is rejected, by words that do not repeat it', () => {
  const read = (key: string) => readConfig({ TILLHOOK_OPERATOR_KEY: key })
  const rejected = read('ses_a-key-that-is-long-enough')
  assert.ok('problems' in rejected)
  assert.match(rejected.problems.join(), /^TILLHOOK_OPERATOR_KEY: must not begin with ses_/)
  assert.doesNotMatch(rejected.problems.join(), /long-enough/)
  assert.partialDeepStrictEqual(read('Ses_a-key-that-is-long-enough'), { operatorKey: 'Ses_a-key-that-is-long-enough' })
})
