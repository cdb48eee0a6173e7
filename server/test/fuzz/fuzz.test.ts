import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fuzz } from './campaign.ts'

/** Each; longer by `npm run fuzz`. */
const SECONDS = 4

for (const [which, seed] of [
  ['known', 1],
  ['new', randomInt(2 ** 31)],
] as const) {
  test(`whatever is asked, no answer is a fault or unlike what the document says (${which} seed: ${seed})`, async t => {
    const { sent, answers, faults } = await fuzz({ seed, seconds: SECONDS })
    t.diagnostic(`seed ${seed}: ${sent} requests, ${answers.size} different answers`)
    assert.deepEqual(faults, [], `npm run fuzz -- --seed ${seed} --seconds ${SECONDS}\n${faults.join('\n')}`)
    assert.ok(sent > 0)
  })
}
