import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import { makeMerchant, makePlatform, subscribe } from '../faults/platform.ts'
import { sourceFiles } from '../tidy/source-files.ts'
import { type Fleet, openFleet } from './fleet.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly Attribute[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

let fleet: Fleet
let collector: Server
let collectorUrl: string
let text = ''
const exported: Exported[] = []

before(async () => {
  fleet = await openFleet()
  collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      assert.equal(request.url, '/v1/traces')
      text += body
      exported.push(JSON.parse(body))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  collectorUrl = `http://127.0.0.1:${(collector.address() as { port: number }).port}`
})
after(async () => {
  await fleet?.close()
  collector?.close()
  collector?.closeAllConnections()
})

test('a request, its charge and its webhooks leave spans with their ids, and nothing secret', async () => {
  const { client, inbox } = fleet
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OTEL_RESOURCE_ATTRIBUTES: 'deployment=tests' }
  const program = await fleet.start('all', { settings })
  const platform = await makePlatform(client, inbox)
  await subscribe(client, platform, await makeMerchant(client))
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'service-request-id': 'request-of-the-test' }
  await client.send('GET', '/no-such-thing', { headers: { traceparent: 'nonsense' } })
  await client.send('GET', `/apps/${platform.appId}/subscriptions`, { headers })
  await fleet.settle(program)
  program.child.kill('SIGTERM')
  assert.equal(await program.ended(), 0, program.stderr())

  const [first] = exported
  const resource = attributesOf(first?.resourceSpans[0]?.resource ?? { attributes: [] })
  assert.deepEqual(
    [resource['service.name'], resource['tillhook.role'], resource.deployment],
    ['tillhook', 'all', 'tests'],
  )

  assert.equal(one('POST /apps/:appId/subscriptions').parentSpanId, undefined)
  const asked = one('GET /apps/:appId/subscriptions')
  assert.equal(attributesOf(asked)['tillhook.request_id'], 'request-of-the-test')
  assert.deepEqual(
    asked.links?.map(link => [link.traceId, link.spanId]),
    [[traceId, spanId]],
  )
  assert.notEqual(asked.traceId, traceId, 'a stranger decides nothing about our traces')

  const confirmed = one('gateway confirmCharge')
  const run = all('loop charges').find(span => span.spanId === confirmed.parentSpanId)
  assert.equal(run?.traceId, confirmed.traceId)
  const saved = one('gateway savePaymentMethod')
  assert.equal(saved.parentSpanId, one('POST /businesses/:businessId/payment-methods').spanId)

  const attempts = all('delivery attempt')
  const ids = attempts.map(span => attributesOf(span)['tillhook.notification_id'])
  assert.deepEqual(ids.sort(), [...inbox.received.keys()].sort())
  assert.ok(attempts.every(({ parentSpanId }) => parentSpanId === undefined))
  assert.deepEqual(
    [...fleet.secrets, inbox.url, 'tok_ok'].filter(secret => text.includes(secret)),
    [],
  )
})

test('an unavailable collector affects neither requests nor a stop', async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '500' }
  const program = await fleet.start('all', { settings })
  await makeMerchant(fleet.client)
  program.child.kill('SIGTERM')
  assert.equal(await program.ended(), 0, program.stderr())
})

test('one module knows OpenTelemetry and is loaded only if it is configured', () => {
  const files = sourceFiles().filter(({ path }) => path.startsWith('server/src/'))
  const knowing = files.filter(({ text: source }) => source.includes("from '@opentelemetry/")).map(({ path }) => path)
  assert.deepEqual(knowing, ['server/src/runtime/operations/start-tracing.ts'])
  assert.deepEqual(
    files.filter(({ text: source }) => /from '.*start-tracing\.ts'/.test(source)).map(({ path }) => path),
    [],
  )
})

function all(name: string): Span[] {
  const spans = exported.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
  return spans.flatMap(scope => scope.spans).filter(span => span.name === name)
}

function one(name: string): Span {
  const [span] = all(name)
  assert.ok(span, `a span ${name}`)
  return span
}

function attributesOf({ attributes }: { readonly attributes: readonly Attribute[] }) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
}
