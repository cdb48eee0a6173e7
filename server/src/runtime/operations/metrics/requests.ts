import { Histogram, type Registry } from 'prom-client'
import type { OnRequestDone } from '../../../platform/http/send.ts'

export function requestMetrics(registry: Registry): OnRequestDone {
  const requests = new Histogram({
    name: 'tillhook_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
    registers: [registry],
  })
  return (route, method, status, seconds) => requests.observe({ route, method, status: String(status) }, seconds)
}
