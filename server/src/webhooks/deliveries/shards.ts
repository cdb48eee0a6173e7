import { CLOCKS_APART_MS } from '../../core/delivery.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'

export const SHARDS = 256

/** The shard of a hook. Hook ids are UUIDv7: the last byte is random. */
export function shardOf(hookId: string): number {
  return Number.parseInt(hookId.slice(-2), 16)
}

/** The shards of this process. Only the owner of a shard sends for the hooks of the shard. */
export interface Shards {
  /** The epoch to save under; undefined when this process must not send for the shard. */
  epochOf(shard: number): number | undefined
  /** Renews the leases, takes free and expired shards up to the fair share, and gives up the excess. Returns the shards taken. */
  renew(lagMs: number): Promise<number[]>
  /** The shard belongs to another process. */
  drop(shard: number): void
  /** Releases all shards, so that other processes can take them at once. */
  release(): Promise<void>
  owned(): number[]
}

/** A takeover after a kill takes the length of a lease and two renewal intervals of another process. */
const LEASE_MS = 10_000
export const RENEW_MS = LEASE_MS / 5

interface Owned {
  readonly epoch: number
  until: number
  /** Given up at the next renewal: attempts under way can still be saved. */
  isDraining: boolean
}

export function createShards({ db, clock }: Pick<Ports, 'db' | 'clock'>, workerId: string): Shards {
  const owned = new Map<number, Owned>()
  /** Leases of other processes, and since when they have not been renewed, by this clock alone. */
  const seen = new Map<number, { readonly lease: string; readonly sinceMs: number }>()

  function isExpired({ shard, epoch, leasedUntil }: Foreign, now: Date): boolean {
    // Expired by the clock of any process.
    if (leasedUntil === null || leasedUntil.getTime() <= now.getTime() - LEASE_MS - 2 * CLOCKS_APART_MS) return true
    const lease = `${epoch} ${leasedUntil.getTime()}`
    const before = seen.get(shard)
    if (before?.lease !== lease) seen.set(shard, { lease, sinceMs: now.getTime() })
    return before?.lease === lease && now.getTime() - before.sinceMs >= LEASE_MS
  }

  async function renewLeases(sql: Sql, now: Date, leasedUntil: Date): Promise<void> {
    const [gone, kept] = [new Set<number>(), new Set<number>()]
    for (const [shard, { isDraining }] of owned) (isDraining ? gone : kept).add(shard)
    if (gone.size > 0) await freeShards(sql, workerId, { shards: [...gone], now })
    for (const shard of gone) owned.delete(shard)
    const leases = [...kept].map(shard => ({ shard, epoch: owned.get(shard)?.epoch ?? 0 }))
    const renewed = await extendLeases(sql, leases, leasedUntil)
    for (const shard of kept) {
      const mine = owned.get(shard)
      if (mine && renewed.has(shard)) mine.until = leasedUntil.getTime()
      else owned.delete(shard)
    }
  }

  return {
    epochOf: shard => {
      const mine = owned.get(shard)
      // An attempt takes 3 s at most, so it can be saved within the lease.
      const isValid = mine && !mine.isDraining && clock.now().getTime() < mine.until - 2 * RENEW_MS
      return isValid ? mine.epoch : undefined
    },
    owned: () => [...owned.keys()],
    drop: shard => void owned.delete(shard),
    renew: async lagMs => {
      const now = clock.now()
      const leasedUntil = new Date(now.getTime() + LEASE_MS)
      const workers = await checkIn(db.sql, { workerId, now, seenUntil: leasedUntil, lagMs })
      await renewLeases(db.sql, now, leasedUntil)
      const share = Math.ceil(SHARDS / workers)
      for (const [, mine] of [...owned].slice(share)) mine.isDraining = true
      const foreign = await findForeign(db.sql, workerId, [...owned.keys()])
      const free = foreign.filter(({ isFree }) => isFree).slice(0, Math.max(0, share - owned.size))
      // A dead process's shards are taken at once and rebalanced later.
      const expired = foreign.filter(one => !one.isFree && isExpired(one, now))
      const taken = await takeShards(db.sql, [...free, ...expired], { workerId, leasedUntil })
      for (const { shard, epoch } of taken) {
        owned.set(shard, { epoch, until: leasedUntil.getTime(), isDraining: false })
      }
      return taken.map(({ shard }) => shard)
    },
    release: async () => {
      owned.clear()
      await freeShards(db.sql, workerId, { now: clock.now() })
      await db.sql`delete from delivery_workers where worker_id = ${workerId}`
    },
  }
}

/** Returns the number of sending processes, including this one. */
async function checkIn(
  sql: Sql,
  { workerId, now, seenUntil, lagMs }: { workerId: string; now: Date; seenUntil: Date; lagMs: number },
): Promise<number> {
  await sql`
    insert into delivery_workers (worker_id, seen_until, lag_ms) values (${workerId}, ${seenUntil}, ${lagMs})
    on conflict (worker_id) do update set seen_until = excluded.seen_until, lag_ms = excluded.lag_ms`
  const [row] = await sql<{ workers: number }[]>`
    with gone as (
      delete from delivery_workers where worker_id in (
        select worker_id from delivery_workers where seen_until <= ${now} for update skip locked))
    select count(*) as workers from delivery_workers where seen_until > ${now}`
  return Math.max(1, row?.workers ?? 1)
}

/** Locks the shards in the same order as a save. Returns the shards still owned. */
async function extendLeases(
  sql: Sql,
  leases: readonly { readonly shard: number; readonly epoch: number }[],
  leasedUntil: Date,
): Promise<Set<number>> {
  if (leases.length === 0) return new Set()
  const rows = await sql<{ shard: number }[]>`
    with mine as materialized (
      select s.shard from delivery_shards as s
      join unnest(${leases.map(({ shard }) => shard)}::integer[], ${leases.map(({ epoch }) => epoch)}::bigint[])
        as x (shard, epoch) on x.shard = s.shard and x.epoch = s.epoch
      order by s.shard for no key update of s)
    update delivery_shards as s set leased_until = ${leasedUntil}
    from mine where s.shard = mine.shard
    returning s.shard`
  return new Set(rows.map(({ shard }) => shard))
}

interface Foreign {
  readonly shard: number
  readonly epoch: number
  readonly isFree: boolean
  readonly leasedUntil: Date | null
}

/** A shard also counts as free if this process took the shard and the response of the database was lost. */
async function findForeign(sql: Sql, workerId: string, owned: readonly number[]): Promise<Foreign[]> {
  return await sql<Foreign[]>`
    select shard, epoch, owner is null or owner = ${workerId} as "isFree", leased_until as "leasedUntil"
    from delivery_shards where shard <> all(${owned as number[]}::integer[]) order by shard`
}

/** Takes the shards that no process has renewed or taken since they were read. */
async function takeShards(
  sql: Sql,
  shards: readonly Foreign[],
  { workerId, leasedUntil }: { workerId: string; leasedUntil: Date },
): Promise<{ shard: number; epoch: number }[]> {
  if (shards.length === 0) return []
  return await sql<{ shard: number; epoch: number }[]>`
    with x as (
      select x.shard, x.epoch, x.leased_until
      from unnest(
        ${shards.map(({ shard }) => shard)}::integer[], ${shards.map(({ epoch }) => epoch)}::bigint[],
        ${shards.map(one => one.leasedUntil?.toISOString() ?? null)}::text[]::timestamptz[]) as x (shard, epoch, leased_until)),
    free as materialized (
      select s.shard from delivery_shards as s join x on x.shard = s.shard
      where s.epoch = x.epoch and s.leased_until is not distinct from x.leased_until
      order by s.shard for no key update of s skip locked)
    update delivery_shards as s set owner = ${workerId}, epoch = s.epoch + 1, leased_until = ${leasedUntil}
    from free where s.shard = free.shard
    returning s.shard, s.epoch`
}

async function freeShards(
  sql: Sql,
  workerId: string,
  { shards, now }: { shards?: readonly number[]; now: Date },
): Promise<void> {
  await sql`
    update delivery_shards set owner = null, leased_until = ${now}
    where owner = ${workerId} and (${shards === undefined} or shard = any(${[...(shards ?? [])]}::integer[]))`
}
