import { foldCounts } from '../../../server/src/money/subscriptions/counts.ts'
import { openDatabase, type Sql } from '../../../server/src/platform/db/db.ts'
import type { Scenario, World } from '../world.ts'
import { PAGE, startsOf } from './reads.ts'
import { repeat } from './repeat.ts'

/** Copies of the seeded app. */
const APPS = 40
const FILL_WITHIN_MS = 300_000

/** Like `readPage`, but reads every other row before repeating one, so caches of rows do not help. */
export const readManyPages: Scenario = {
  name: `GET a page of ${PAGE} of many`,
  run: async world => {
    const appIds = await fillApps(world)
    const paths = startsOf(world.seeded.subscriptionIds.length).flatMap(start =>
      appIds.map(appId => `/apps/urn:aid:${appId}/subscriptions?count=${PAGE}&start=${start}`),
    )
    let turn = 0
    const next = () =>
      ({ method: 'GET', path: paths[turn++ % paths.length] ?? '/', bearer: world.operatorKey }) as const
    return [await repeat(world, readManyPages.name, { next })]
  },
}

/** Copies the seeded app with its plans and subscriptions directly in the database, once for all runs. */
async function fillApps({ databaseUrl, seeded }: World): Promise<string[]> {
  const db = openDatabase({ url: databaseUrl, maxConnections: 1, answerWithinMs: FILL_WITHIN_MS })
  try {
    const { sql } = db
    await copyAll(sql, seeded.app.appId.slice('urn:aid:'.length))
    while ((await foldCounts(sql)) > 0);
    await sql`vacuum (analyze)`
    const apps = await sql<{ appId: string }[]>`
      select app_id as "appId" from apps where package_name like ${`${PACKAGE}%`} order by app_id`
    return apps.map(({ appId }) => appId)
  } finally {
    await db.close()
  }
}

const PACKAGE = 'com.example.copy'

/** Derives the id of the n-th copy from the original id. */
async function copyAll(sql: Sql, appId: string): Promise<void> {
  await sql`
    insert into apps
    select copy.* from apps as a, generate_series(1, ${APPS}) as n, jsonb_populate_record(a, jsonb_build_object(
      'app_id', md5(n || a.app_id::text)::uuid, 'package_name', ${PACKAGE} || n)) as copy
    where a.app_id = ${appId}
    on conflict do nothing`
  await sql`
    insert into plans
    select copy.* from plans as p, generate_series(1, ${APPS}) as n, jsonb_populate_record(p, jsonb_build_object(
      'plan_id', md5(n || p.plan_id::text)::uuid, 'app_id', md5(n || p.app_id::text)::uuid)) as copy
    where p.app_id = ${appId}
    on conflict do nothing`
  await sql`
    insert into subscriptions
    select copy.* from subscriptions as s, generate_series(1, ${APPS}) as n, jsonb_populate_record(s, jsonb_build_object(
      'subscription_id', md5(n || s.subscription_id::text)::uuid, 'app_id', md5(n || s.app_id::text)::uuid,
      'plan_id', md5(n || s.plan_id::text)::uuid)) as copy
    where s.app_id = ${appId}
    on conflict do nothing`
}
