import type { Sql } from '../db/db.ts'

export interface AuditedTable {
  readonly table: string
  readonly kind: string
  readonly keys: readonly string[]
  /** The triggers never record these columns. */
  readonly hidden: readonly string[]
}

/** The tables whose changes are recorded, as their triggers have it. */
export async function findAuditedTables(sql: Sql): Promise<AuditedTable[]> {
  const rows = await sql<{ table: string; args: Buffer }[]>`
    select tgrelid::regclass::text as table, tgargs as args from pg_trigger
    where tgfoid = 'record_change'::regproc and tgenabled = 'O' order by 1`
  return rows.map(({ table, args }) => {
    const [kind = '', keys = '', hidden = ''] = args.toString().split('\0')
    return { table, kind, keys: itemsOf(keys), hidden: itemsOf(hidden) }
  })
}

function itemsOf(literal: string): string[] {
  return literal.slice(1, -1).split(',').filter(Boolean)
}
