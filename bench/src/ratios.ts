import type { Row } from './row.ts'
import { bareOne, barePage } from './scenarios/bare.ts'
import { readManyPages } from './scenarios/many.ts'
import { readOne, readPage } from './scenarios/reads.ts'
import { signatures } from './scenarios/signatures.ts'
import { bareToken, tokens } from './scenarios/tokens.ts'

/** The pairs of rows to compare. */
const PAIRS = [
  [tokens, signatures],
  [bareToken, signatures],
  [tokens, bareToken],
  [readOne, bareOne],
  [readPage, barePage],
  [readManyPages, barePage],
] as const

/** One line per measured pair: the service's rate and processor time divided by those of the bare row. */
export function printRatios(rows: readonly Row[]): string {
  const named = (name: string) => rows.find(row => row.name === name)
  return PAIRS.flatMap(([scenario, bare]) => {
    const [row, other] = [named(scenario.name), named(bare.name)]
    return row === undefined || other === undefined ? [] : [lineOf(row, other)]
  }).join('\n')
}

function lineOf(row: Row, bare: Row): string {
  const rate = `${row.name} ÷ ${bare.name}: ${(row.perSecond / bare.perSecond).toFixed(2)} of its rate`
  if (row.cpu === undefined || bare.cpu === undefined) return `- ${rate}.`
  const service = (row.cpu.serviceMs / bare.cpu.serviceMs).toFixed(2)
  const all = (totalMs(row.cpu) / totalMs(bare.cpu)).toFixed(2)
  return `- ${rate}, ${service} × its processor time in the process that answers, ${all} × with PostgreSQL.`
}

function totalMs({ serviceMs, postgresMs }: NonNullable<Row['cpu']>): number {
  return serviceMs + postgresMs
}
