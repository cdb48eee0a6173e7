import type postgres from 'postgres'

/** Prints server/schema.sql, the catalog after all migrations. The embedded PostgreSQL ships without pg_dump. */
export async function schemaPage(sql: postgres.Sql): Promise<string> {
  const tables = await sql<{ oid: number; name: string; partitioned: string | null; options: string[] | null }[]>`
    select oid::int as oid, relname as name, pg_get_partkeydef(oid) as partitioned, reloptions as options
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'schema_version'
    order by relname`
  const parts: string[] = []
  for (const table of tables) parts.push(await tablePart(sql, table))
  parts.push(...(await functionParts(sql)))
  return `-- The catalog after all migrations. Printed by \`npm run print\`; a test compares it.\n\n${parts.join('\n')}`
}

async function tablePart(
  sql: postgres.Sql,
  table: { oid: number; name: string; partitioned: string | null; options: string[] | null },
): Promise<string> {
  const columns = await sql<{ line: string }[]>`
    select attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(adbin, adrelid), '') as line
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = ${table.oid} and attnum > 0 and not attisdropped
    order by attnum`
  const constraints = await sql<{ line: string }[]>`
    select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as line
    from pg_constraint
    where conrelid = ${table.oid} and contype <> 'n'
    order by contype desc, conname`
  const indexes = await sql<{ line: string }[]>`
    select pg_get_indexdef(indexrelid) || ';' as line
    from pg_index
    where indrelid = ${table.oid} and not exists (select 1 from pg_constraint where conindid = indexrelid)
    order by indexrelid::regclass::text`
  const triggers = await sql<{ line: string }[]>`
    select pg_get_triggerdef(oid) || ';' as line
    from pg_trigger
    where tgrelid = ${table.oid} and not tgisinternal
    order by tgname`
  const body = [...columns, ...constraints].map(({ line }) => `  ${line}`).join(',\n')
  const by = table.partitioned === null ? '' : ` partition by ${table.partitioned}`
  const options = table.options === null ? '' : ` with (${table.options.join(', ')})`
  const beside = [...indexes, ...triggers].map(({ line }) => `${line}\n`).join('')
  return `create table ${table.name} (\n${body}\n)${by}${options};\n${beside}`
}

async function functionParts(sql: postgres.Sql): Promise<string[]> {
  const functions = await sql<{ text: string }[]>`
    select trim(pg_get_functiondef(oid), e'\\n') || ';' as text
    from pg_proc
    where pronamespace = 'public'::regnamespace
    order by proname`
  return functions.map(({ text }) => `${text}\n`)
}
