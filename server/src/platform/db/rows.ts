/** A row as the core has it: absent where the column is null. */
export type Present<Row> = { readonly [K in keyof Row as null extends Row[K] ? never : K]: Row[K] } & {
  readonly [K in keyof Row as null extends Row[K] ? K : never]?: Exclude<Row[K], null>
}

/** Drops the nulls of a row: SQL has null for what is not there, our types have nothing. */
export function present<Row extends object>(row: Row): Present<Row> {
  // Column by column: lists of pairs took seven times as long, and renewals read some 60 columns each.
  const kept: { [K in keyof Row]?: Row[K] } = {}
  for (const column in row) if (row[column] !== null) kept[column] = row[column]
  return kept as unknown as Present<Row>
}
