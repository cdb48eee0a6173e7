import type { FastifyInstance } from 'fastify'
import type { ObserveRun } from '../../platform/loop.ts'
import type { Telemetry } from '../../ports.ts'

/** Traces, where somebody wants them. Made by `startTracing`, which is loaded only then: else they cost nothing. */
export interface Tracing {
  /** A span for each request; what it asks of gateways stands below it. */
  follow(app: FastifyInstance): void
  /** A span for each run of a loop that found something. */
  readonly watchRun: ObserveRun
  readonly watch: Pick<Telemetry, 'attempted' | 'gatewayCalled'>
  /** Sends what is not sent yet. */
  stop(): Promise<void>
}
