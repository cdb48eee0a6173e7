import type { JWK } from 'jose'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** A stored signing key. It signs until `retiredAt` and stays published while its tokens live. */
export interface StoredSigningKey {
  readonly kid: string
  /** Sealed by the vault, purpose `signing-key`. */
  readonly sealedPrivateJwk: Buffer
  readonly publicJwk: JWK
  readonly createdAt: Date
  readonly retiredAt?: Date
}

/** Any constant: processes that create or rotate keys take turns. */
const SIGNING_KEY_LOCK = 7_461_002

export async function lockSigningKeys(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SIGNING_KEY_LOCK})`
}

/** The keys not retired before `retiredAfter`, the oldest first. */
export async function findSigningKeys(sql: Sql, retiredAfter: Date): Promise<StoredSigningKey[]> {
  const rows = await sql<RowOf<StoredSigningKey>[]>`
    select kid, private_jwk as "sealedPrivateJwk", public_jwk as "publicJwk", created_at as "createdAt",
           retired_at as "retiredAt"
    from signing_keys
    where retired_at is null or retired_at > ${retiredAfter}
    order by created_at, kid`
  return rows.map(row => present(row))
}

export async function insertSigningKey(sql: Sql, key: StoredSigningKey): Promise<void> {
  await sql`
    insert into signing_keys (kid, private_jwk, public_jwk, created_at)
    values (${key.kid}, ${key.sealedPrivateJwk}, ${sql.json({ ...key.publicJwk })}, ${key.createdAt})`
}

/** Every key but `kid` stops signing at `retiredAt`, or at an earlier time that was set before. */
export async function retireSigningKeysBut(sql: Sql, kid: string, retiredAt: Date): Promise<void> {
  await sql`update signing_keys set retired_at = ${retiredAt} where kid <> ${kid} and retired_at is null`
}
