import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../global-setup.ts'
import { fuzz } from './campaign.ts'

/** npm run fuzz -- --seed 7 --seconds 300 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, seconds: { type: 'string' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const seconds = Number(values.seconds ?? 60)
process.stdout.write(`seed ${seed}, for ${seconds} s\n`)
await globalSetup()
try {
  const { sent, answers, faults } = await fuzz({ seed, seconds })
  const byStatus = new Map<string, number>()
  for (const [line, times] of answers) {
    const status = line.split(' ')[1] ?? ''
    byStatus.set(status, (byStatus.get(status) ?? 0) + times)
  }
  const statuses = [...byStatus].sort().map(([status, times]) => `${status}: ${times}`)
  process.stdout.write(`${faults.map(fault => `✗ ${fault}\n`).join('')}${sent} requests; ${statuses.join(', ')}\n`)
  process.stdout.write(`fuzz: ${faults.length} faults with seed ${seed}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await globalTeardown()
}
