/** A row as the core has it: absent where the column is null. */
export type Present<Row> = { readonly [K in keyof Row as null extends Row[K] ? never : K]: Row[K] } & {
  readonly [K in keyof Row as null extends Row[K] ? K : never]?: Exclude<Row[K], null>
}

/** Drops the nulls of a row: SQL has null for what is not there, our types have nothing. */
export function present<Row extends object>(row: Row): Present<Row> {
  const kept = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(kept) as Present<Row>
}
