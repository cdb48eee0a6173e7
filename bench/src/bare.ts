import { createHash, createPublicKey, generateKeyPairSync, randomBytes, randomUUID, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { fastify } from 'fastify'
import postgres from 'postgres'

/**
 * The baseline to compare the service with: only Fastify and postgres.js, without authentication, rate limits, validation and schemas. Responses
 * are the rows. Runs in a separate process on the service's PostgreSQL; BARE_DATABASE_URL is its URL.
 */

export interface BareMessage {
  readonly url: string
}

/** The same number as in the service. */
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

const signed = promisify(sign)
const verified = promisify(verify)
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })

app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, new URLSearchParams(String(body))),
)

/** The minimum work of a token by assertion: read the key, verify, insert the use of the `jti`, sign. Checks no claim. */
app.post<{ Body: URLSearchParams }>('/token', async ({ body }, reply) => {
  const [header = '', payload = '', signature = ''] = (body.get('assertion') ?? '').split('.')
  const { sub, jti, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const appId = String(sub).slice('urn:aid:'.length)
  const [row] = await sql`select public_jwk from app_keys where app_id = ${appId}`
  const key = createPublicKey({ key: row?.public_jwk, format: 'jwk' })
  const isRight = await verified(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    key,
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) return reply.code(401).send({})
  const refreshToken = randomBytes(32).toString('base64url')
  await sql`
    insert into assertion_uses (issuer_id, jti, expires_at) values (${appId}, ${jti}, ${new Date(exp * 1000)})`
  const text = [
    { alg: 'RS256', typ: 'JWT' },
    { sub, aud: sub, exp, jti: randomUUID(), of: createHash('sha256').update(refreshToken).digest('hex') },
  ]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signatureOfOurs = await signed('sha256', Buffer.from(text), keys.privateKey)
  return { accessToken: `${text}.${signatureOfOurs.toString('base64url')}`, refreshToken, expiresIn: 86_400 }
})

process.once('disconnect', () => process.exit())

const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url } satisfies BareMessage)
