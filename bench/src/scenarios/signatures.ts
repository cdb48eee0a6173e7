import { generateKeyPair, randomBytes, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { cpuPerRequest, readCpu } from '../cpu.ts'
import { monotonicMs } from '../monotonic.ts'
import { rowOf } from '../row.ts'
import { createTally } from '../tally.ts'
import { type Scenario, WARM_UP_SECONDS } from '../world.ts'
import { CONNECTIONS } from './repeat.ts'

/** About the length of an assertion or an access token. */
const BYTES_SIGNED = 600

const signed = promisify(sign)
const verified = promisify(verify)

/** The two RSA operations of a token, one verification and one signature, on the threads of this process. */
export const signatures: Scenario = {
  name: 'bare: verify and sign',
  run: async ({ processes, seconds, signal }) => {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    const text = randomBytes(BYTES_SIGNED)
    const signature = await signed('sha256', text, privateKey)
    const measure = (seconds: number) => {
      const tally = createTally()
      const both = async (sentAtMs: number) => {
        const isRight = await verified('sha256', text, publicKey, signature)
        await signed('sha256', text, privateKey)
        if (isRight) tally.succeeded(monotonicMs() - sentAtMs)
        else tally.failed('wrong')
      }
      const from = monotonicMs()
      const sign = async () => {
        for (let at = from; at < from + seconds * 1_000; at = monotonicMs()) {
          signal.throwIfAborted()
          await both(at)
        }
      }
      const all = Promise.all(Array.from({ length: CONNECTIONS }, sign))
      return all.then(() => ({ tally, took: (monotonicMs() - from) / 1_000 }))
    }
    await measure(WARM_UP_SECONDS)
    const own = { ...processes, service: process.pid }
    const before = readCpu(own)
    const { tally, took } = await measure(seconds)
    const cpu = cpuPerRequest(before, readCpu(own), tally.latenciesMs.length)
    return [rowOf(signatures.name, tally, took, cpu && { ...cpu, loadMs: 0 })]
  },
}
