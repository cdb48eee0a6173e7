// biome-ignore-all lint/suspicious/noConsole: the program of the README prints.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { createTillhook } from '../src/client.ts'
import type { TillhookError } from '../src/errors.ts'
import type { EventMessage } from '../src/events.ts'

/* A server that answers by script. The stream itself is tested in server/src/webhooks/event-streams, and cli/test uses both. */

const APP = 'urn:aid:019a3c7e-5c00-7000-8000-000000000002'
const STREAM = '019a3c7e-5c00-7000-8000-0000000000aa'

async function open(t: TestContext, answer: (response: ServerResponse, lastId: string | undefined) => void) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const lastId = request.headers['last-event-id'] as string | undefined
    asked.push(lastId)
    answer(response, lastId)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}

const welcome = (id: string) => `id: ${id}\nevent: stream\ndata: {"streamId":"${STREAM}","missed":false}\n\n`
const notification = (n: number, id = '') =>
  `${id && `id: ${id}\n`}event: notification\ndata: {"id":"n${n}","eventType":"TEST","text":"ü: \\n"}\n\n`

function sse(response: ServerResponse) {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

test('after a broken connection the stream continues at the last cursor, and a repeated notification is skipped', async t => {
  const { asked, baseUrl } = await open(t, (response, lastId) => {
    if (lastId === undefined) {
      sse(response).write(
        `retry: 1000\n${welcome('c0')}:\n\n${notification(1)}${notification(2, 'c2')}${notification(3)}`,
      )
      setTimeout(() => response.destroy(), 50)
    } else if (asked.length === 2) {
      response.writeHead(503).end('{}')
    } else {
      const text = Buffer.from(`${welcome('c2')}${notification(3)}${notification(4, 'c4')}`)
      // In the middle of a character.
      const at = text.indexOf('ü') + 1
      sse(response).write(text.subarray(0, at))
      setTimeout(() => response.end(text.subarray(at)), 20)
    }
  })
  const app = createTillhook({ baseUrl, token: 't', appId: APP })
  const waits: number[] = []
  const got: EventMessage[] = []
  for await (const message of app.events({ onDisconnect: waitMs => waits.push(waitMs) })) {
    got.push(message)
    if (message.type === 'notification' && message.event.id === 'n4') break
  }
  assert.deepEqual(
    got.map(one => (one.type === 'stream' ? one.cursor : `${one.event.id} ${one.cursor}`)),
    ['c0', 'n1 c0', 'n2 c2', 'n3 c2', 'c2', 'n4 c4'],
  )
  assert.equal((got.at(-1) as { body: string }).body, '{"id":"n4","eventType":"TEST","text":"ü: \\n"}')
  assert.deepEqual(asked, [undefined, 'c2', 'c2'])
  assert.equal(waits.length, 2)
})

test('a rejected request is an error, and an aborted signal ends the stream without one', async t => {
  const { baseUrl } = await open(t, (response, lastId) => {
    if (lastId === 'open') sse(response).write(welcome('c0'))
    else response.writeHead(403).end(JSON.stringify({ code: 'FORBIDDEN', developerMessage: 'no' }))
  })
  const app = createTillhook({ baseUrl, token: 't', appId: APP })
  await assert.rejects(app.events().next(), (error: TillhookError) => error.code === 'FORBIDDEN')
  const stop = new AbortController()
  const got: string[] = []
  for await (const { type } of app.events({ after: 'open', signal: stop.signal })) {
    got.push(type)
    stop.abort()
  }
  assert.deepEqual(got, ['stream'])
  await assert.rejects(createTillhook({ baseUrl, token: 't' }).events().next(), /appId is missing/)
})

test('the program of the README prints each notification with its cursor', async t => {
  const { baseUrl } = await open(t, (response, lastId) => {
    if (lastId === undefined) sse(response).end(`retry: 1000\n${welcome('c0')}${notification(1, 'c1')}`)
    else response.writeHead(403).end(JSON.stringify({ code: 'FORBIDDEN', developerMessage: 'no' }))
  })
  const tillhook = createTillhook({ baseUrl, token: 't', appId: APP })
  const print = t.mock.method(console, 'log', () => {})
  const follow = async () => {
    for await (const message of tillhook.events()) {
      if (message.type === 'notification') console.log(message.event.eventType, message.cursor)
    }
  }
  await assert.rejects(follow(), { code: 'FORBIDDEN' })
  assert.deepEqual(
    print.mock.calls.map(call => call.arguments),
    [['TEST', 'c1']],
  )
})
