import { fastify } from 'fastify'
import postgres from 'postgres'

/*
 * What the service is measured against: Fastify and postgres.js and nothing else. No tokens, no rates, no checks, no schemas; rows
 * go out as they come in. A process of its own, on the service's PostgreSQL, whose URL is in BARE_DATABASE_URL.
 */

export interface BareMessage {
  readonly url: string
}

/** As many as the service has. */
const CONNECTIONS = 12

const sql = postgres(process.env.BARE_DATABASE_URL ?? '', { max: CONNECTIONS, fetch_types: false })
const app = fastify()

app.get<{ Params: { id: string } }>('/subscriptions/:id', async ({ params }) => {
  const [row] = await sql`
    select subscription_id, app_id, business_id, plan_id, bundle_id, phase, status, start_at, created_at, updated_at
    from subscriptions where subscription_id = ${params.id}`
  return row
})

app.get<{ Params: { appId: string }; Querystring: { start: string; count: string } }>(
  '/apps/:appId/subscriptions',
  ({ params, query }) => sql`
    select subscription_id, app_id, business_id, plan_id, bundle_id, phase, status, start_at, created_at, updated_at
    from subscriptions where app_id = ${params.appId} and status = 'ACTIVE'
    order by created_at, subscription_id offset ${query.start} limit ${query.count}`,
)

process.once('disconnect', () => process.exit())

const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url } satisfies BareMessage)
