import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorkRate } from './rate.ts'

/** Virtual time: it advances only while a job pauses or works, and requests are served meanwhile. */
function start(first: { requestsPerMs: number }) {
  let nowMs = 0
  let { requestsPerMs } = first
  const rests: number[] = []
  const workRate = openWorkRate({
    nowMs: () => nowMs,
    rest: async ms => {
      rests.push(ms)
      pass(ms)
    },
  })
  function pass(ms: number): void {
    nowMs += ms
    for (let n = 0; n < ms * requestsPerMs; n++) workRate.answered()
  }
  /** A step of this duration. Returns whether the step was allowed to hurry. */
  async function piece(ms: number): Promise<boolean> {
    let mayContinue = false
    const done = await workRate.step(async step => {
      mayContinue = step.mayContinue()
      pass(ms)
      return 7
    })
    assert.equal(done, 7)
    return mayContinue
  }
  return {
    ...{ workRate, rests, pass, piece },
    answerNow: (perMs: number) => {
      requestsPerMs = perMs
    },
  }
}

test('with few requests the jobs have no idle time and full priority', async () => {
  const { piece, rests } = start({ requestsPerMs: 0.01 })
  for (let n = 0; n < 5; n++) assert.equal(await piece(300), true)
  assert.deepEqual(rests, [])
})

test('during requests, a job idles for twice its duration and has no priority', async () => {
  const { piece, rests, pass } = start({ requestsPerMs: 1 })
  pass(300)
  assert.equal(await piece(100), false)
  assert.equal(await piece(150), false)
  assert.equal(await piece(10), false)
  assert.deepEqual(rests, [200, 300])
})

test('no idle time is longer than half a second, with any number of concurrent jobs', async () => {
  const { piece, rests, pass } = start({ requestsPerMs: 1 })
  pass(300)
  await Promise.all([piece(900), piece(900), piece(900)])
  await piece(10)
  assert.ok(rests.length > 0)
  assert.ok(rests.every(ms => ms <= 500))
})

test('a job with full priority is notified when requests arrive', async () => {
  const { workRate, pass, answerNow } = start({ requestsPerMs: 0.01 })
  pass(300)
  const answers: boolean[] = []
  await workRate.step(async ({ mayContinue, pause: moment }) => {
    answers.push(mayContinue())
    answerNow(1)
    // Turns of the event loop are short; several pass before the effect is visible.
    for (let n = 0; n < 5; n++) await moment()
    answers.push(mayContinue())
    return 1
  })
  assert.deepEqual(answers, [true, false])
})

test('idle times end when requests end', async () => {
  const { piece, rests, pass, answerNow } = start({ requestsPerMs: 1 })
  pass(300)
  await piece(300)
  answerNow(0)
  pass(10)
  await piece(300)
  const before = rests.length
  for (let n = 0; n < 3; n++) assert.equal(await piece(300), true)
  assert.equal(rests.length, before)
})

test('a failure of the work is thrown to its caller, and the idle time follows as usual', async () => {
  const { workRate, piece, rests, pass } = start({ requestsPerMs: 1 })
  pass(300)
  const failing = workRate.step(async () => {
    pass(100)
    throw new Error('away')
  })
  await assert.rejects(failing, /away/)
  await piece(10)
  assert.deepEqual(rests, [200])
})
