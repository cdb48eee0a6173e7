import { pino } from 'pino'
import { createApp } from '../../src/app.ts'

/** The default base URL. */
const BY_DEFAULT = 'http://127.0.0.1:8080'

/** GET /openapi.json of a service on this database, which must be migrated and may be empty. */
export async function servedOpenApi(databaseUrl: string): Promise<string> {
  const app = await createApp({
    databaseUrl,
    masterKey: Buffer.alloc(32),
    operatorKey: 'of nobody: nothing listens here',
    settings: {
      baseUrl: BY_DEFAULT,
      billingUrl: BY_DEFAULT,
      allowedNetworks: [],
      requireHttps: false,
      operatorShare: 2_000,
    },
    limits: {},
    log: pino({ level: 'silent' }),
  })
  try {
    const answer = await app.http.inject('/openapi.json')
    if (answer.statusCode !== 200) throw new Error(`GET /openapi.json: ${answer.statusCode} ${answer.body}`)
    return answer.body
  } finally {
    await app.close()
  }
}
