import { pino } from 'pino'
import { createApp } from '../../src/app.ts'
import type { AppOptions } from '../../src/app-options.ts'
import { openDatabase } from '../../src/platform/db/db.ts'
import { parseNetworks } from '../../src/platform/egress/addresses.ts'
import { startLoop } from '../../src/platform/loop.ts'
import { noteExercised } from '../support/exercised.ts'
import { type Place, underWay, withPlaces } from './crash-places.ts'

/** Messages from the test. The service echoes each. */
export type Message = { readonly dieAt: Place } | { readonly aheadMs: number }

/**
 * The whole service as a process, on the database of its first argument, with a clock that can be set ahead. The process kills itself with SIGKILL at a
 * place named by the test, and ends with the test process.
 */
const { databaseUrl, operatorKey, masterKey, aheadMs, stripe, paysByConnect } = JSON.parse(process.argv[2] ?? '{}') as {
  databaseUrl: string
  operatorKey: string
  masterKey: string
  aheadMs: number
  stripe?: AppOptions['stripe']
  paysByConnect?: boolean
}
let ahead = aheadMs
let dieAt: string | undefined
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (message: Message) => {
  if ('dieAt' in message) dieAt = message.dieAt
  else ahead = message.aheadMs
  process.send?.(message)
})

const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }))
const gatewayDb = openDatabase({ url: databaseUrl, maxConnections: 4 })
const app = await createApp({
  databaseUrl,
  masterKey: Buffer.from(masterKey, 'hex'),
  operatorKey,
  settings: {
    baseUrl: 'http://tillhook.test',
    billingUrl: 'http://tillhook.test',
    allowedNetworks: parseNetworks('127.0.0.0/8'),
    requireHttps: false,
    operatorShare: 2_000,
  },
  limits: {},
  ...(stripe && { stripe }),
  ...(paysByConnect && { paysByConnect }),
  log,
  clock: { now: () => new Date(Date.now() + ahead) },
  wrap: ports =>
    withPlaces(ports, gatewayDb, place => {
      if (place === dieAt) process.kill(process.pid, 'SIGKILL')
    }),
})
noteExercised(app.http)
const url = await app.http.listen({ host: '127.0.0.1', port: 0 })
const loops = Object.entries(app.jobs).map(([key, job]) => {
  const runOnce = () => underWay.run(key, job.runOnce)
  return [key, startLoop({ ...job, runOnce, log })] as const
})
underWay.run('deliveries', () => app.sender.start())
const loop = new Map<string, { wake(): void }>(loops)
app.onWake({
  charges: () => loop.get('charges')?.wake(),
  refunds: () => loop.get('refunds')?.wake(),
  gatewayEvents: () => loop.get('gatewayEvents')?.wake(),
})
process.stdout.write(`Tillhook is ready at ${url}\n`)
