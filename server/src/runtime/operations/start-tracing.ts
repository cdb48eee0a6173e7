import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type { Attempted, GatewayCall } from '../../ports.ts'
import type { Tracing } from './tracing.ts'

interface TracingOptions {
  readonly version: string
  readonly role: string
  /** The part of the traces that is sent, from 0 to 1. */
  readonly ratio: number
}

/** The exporter reads the endpoint, its headers and the resource attributes from the standard OTEL_… variables. */
export function startTracing({ version, role, ratio }: TracingOptions): Tracing {
  const ours = resourceFromAttributes({ 'service.name': 'tillhook', 'service.version': version, 'tillhook.role': role })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(ours)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('tillhook', version)
  /** The span of the current work. */
  const within = new AsyncLocalStorage<Context>()
  return {
    follow: app => followRequests(app, tracer, within),
    watchRun: async (loop, run) => {
      const span = tracer.startSpan(`loop ${loop}`, { attributes: { 'tillhook.loop': loop } }, ROOT_CONTEXT)
      try {
        const found = await within.run(trace.setSpan(ROOT_CONTEXT, span), run)
        // An idle run never ends its span, so the span is never sent: there are many idle runs a second.
        if (found > 0) span.setAttribute('tillhook.found', found).end()
        return found
      } catch (error) {
        fail(span, nameOf(error)).end()
        throw error
      }
    },
    watch: {
      attempted: attempt => traceAttempt(tracer, attempt),
      gatewayCalled: call => tellGatewayCall(tracer, call, within.getStore() ?? ROOT_CONTEXT),
    },
    stop: () => provider.shutdown(),
  }
}

/** Two hooks, because the callbacks of body bytes lose the request's context, which is set again after the body. */
function followRequests(app: FastifyInstance, tracer: Tracer, within: AsyncLocalStorage<Context>): void {
  const spans = new WeakMap<object, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, id, headers } = request
    const route = routeOptions.url ?? 'unmatched'
    const attributes = { 'http.request.method': method, 'http.route': route, 'tillhook.request_id': id }
    const options = { kind: SpanKind.SERVER, attributes, links: linksOf(headers.traceparent) }
    spans.set(request, tracer.startSpan(`${method} ${route}`, options, ROOT_CONTEXT))
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else within.run(trace.setSpan(ROOT_CONTEXT, span), () => done())
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)?.setAttribute('http.response.status_code', reply.statusCode)
    if (span !== undefined && reply.statusCode >= 500) fail(span, `status ${reply.statusCode}`)
    span?.end()
    done()
  })
}

/** A separate trace: another process may attempt the delivery days after the request. */
function traceAttempt(tracer: Tracer, attempt: Attempted): void {
  const { attemptedAt, finishedAt, httpStatus, reason, acknowledged } = attempt
  const attributes = {
    'tillhook.notification_id': attempt.notificationId,
    'tillhook.hook_id': attempt.hookId,
    'tillhook.attempt_id': attempt.attemptId,
    'tillhook.attempt': attempt.attempt,
    'tillhook.priority': attempt.priority,
    ...(httpStatus === undefined ? {} : { 'http.response.status_code': httpStatus }),
  }
  const options = { kind: SpanKind.CLIENT, attributes, startTime: attemptedAt }
  const span = tracer.startSpan('delivery attempt', options, ROOT_CONTEXT)
  if (!acknowledged) fail(span, reason ?? `status ${httpStatus}`)
  span.end(finishedAt)
}

function tellGatewayCall(tracer: Tracer, asked: GatewayCall, parent: Context): void {
  const { gateway, call, outcome, about, startedAt, seconds } = asked
  const attributes = {
    'tillhook.gateway': gateway,
    'tillhook.outcome': outcome,
    ...(about === undefined ? {} : { 'tillhook.about': about }),
  }
  const options = { kind: SpanKind.CLIENT, attributes, startTime: startedAt }
  const span = tracer.startSpan(`gateway ${call}`, options, parent)
  if (outcome === 'failed' || outcome === 'unknown') fail(span, outcome)
  span.end(new Date(startedAt.getTime() + seconds * 1_000))
}

/** A caller's trace is linked, not continued: callers are strangers, and must not decide what is sampled. */
function linksOf(traceparent: unknown): Link[] {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(traceparent)) ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(context) ? [{ context }] : []
}

function fail(span: Span, message: string): Span {
  return span.setStatus({ code: SpanStatusCode.ERROR, message })
}

/** An error's message may hold what a log must not. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
