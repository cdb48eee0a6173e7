import type { FastifyInstance } from 'fastify'
import type { ObserveRun } from '../../platform/loop.ts'
import type { Telemetry } from '../../ports.ts'

/** Optional tracing. `startTracing` is loaded on demand, so disabled tracing costs nothing. */
export interface Tracing {
  /** Opens a span for each request; calls to gateways are children of the span. */
  follow(app: FastifyInstance): void
  /** A span for each run of a loop that found something. */
  readonly watchRun: ObserveRun
  readonly watch: Pick<Telemetry, 'attempted' | 'gatewayCalled'>
  /** Sends the remaining spans. */
  stop(): Promise<void>
}
