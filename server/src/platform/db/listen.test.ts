import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { listenTo } from './listen.ts'

const LONG_MS = 20_000
/** Messages that admit the client and allow queries. */
const WELCOME = Buffer.from([...[0x52, 0, 0, 0, 8, 0, 0, 0, 0], ...[0x5a, 0, 0, 0, 5, 0x49]])

/** A database that admits clients and then answers nothing. Returns its address and a promise for the first query. */
async function openFrozen(t: TestContext) {
  const asked = Promise.withResolvers<void>()
  const server = createServer(socket => {
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(WELCOME)
      socket.once('data', () => asked.resolve())
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `postgres://nobody@127.0.0.1:${port}/none`, asked: asked.promise }
}

test('closing does not wait for a frozen database, and later messages are ignored', async t => {
  const { url, asked } = await openFrozen(t)
  const listening = listenTo({ url, channel: 'any', onNotice: () => assert.fail('no notice was sent') })
  await asked
  const stop = new AbortController()
  const late = wait(LONG_MS, 'late', { signal: stop.signal }).catch(() => 'stopped')
  assert.equal(await Promise.race([listening.close().then(() => 'closed'), late]), 'closed')
  stop.abort()
})
