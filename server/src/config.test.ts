import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, settingsInForce } from './config.ts'

test('an operator key that looks like a session token is rejected without repeating the key', () => {
  const read = (key: string) => readConfig({ TILLHOOK_OPERATOR_KEY: key })
  const rejected = read('ses_a-key-that-is-long-enough')
  assert.ok('problems' in rejected)
  assert.match(rejected.problems.join(), /^TILLHOOK_OPERATOR_KEY: must not begin with ses_/)
  assert.doesNotMatch(rejected.problems.join(), /long-enough/)
  assert.partialDeepStrictEqual(read('Ses_a-key-that-is-long-enough'), { operatorKey: 'Ses_a-key-that-is-long-enough' })
})

test("a mistyped setting is rejected, and the command line's own variables are not settings", () => {
  const mistyped = readConfig({ TILLHOOK_PROT: '8080' })
  assert.ok('problems' in mistyped)
  assert.match(mistyped.problems.join(), /^TILLHOOK_PROT: there is no such setting/)
  assert.ok(!('problems' in readConfig({ TILLHOOK_URL: 'http://127.0.0.1:8080', TILLHOOK_KEY: 'a key' })))
})

test('the list of current settings shows no value that can be a secret', () => {
  const all = settingsInForce({})
  assert.ok(all.every(({ value }) => value === undefined))
  const given = Object.fromEntries(all.map(({ variable }) => [variable, `value of ${variable}`]))
  const shown = settingsInForce(given).filter(({ value }) => value !== 'Set')
  const secret = /KEY|SECRET|TOKEN|DATABASE.*URL|SMTP_URL|OTEL|STRIPE|VIES/
  assert.deepEqual(
    shown.filter(({ variable }) => secret.test(variable)),
    [],
  )
  assert.equal(shown.find(({ variable }) => variable === 'TILLHOOK_PORT')?.value, 'value of TILLHOOK_PORT')
  assert.equal(settingsInForce({}, ['--role', 'api'])[0]?.value, 'api')
})
