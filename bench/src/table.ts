import type { Row } from './row.ts'

const COLUMNS: readonly { title: string; cell: (row: Row) => string }[] = [
  { title: 'what', cell: row => row.name },
  { title: 'requests', cell: row => row.requests.toLocaleString('en') },
  { title: 'per second', cell: row => row.perSecond.toLocaleString('en', { maximumFractionDigits: 0 }) },
  { title: 'p50 ms', cell: row => toMs(row.p50Ms) },
  { title: 'p99 ms', cell: row => toMs(row.p99Ms) },
  { title: 'most ms', cell: row => toMs(row.mostMs) },
  { title: 'service µs', cell: row => toMicroseconds(row.cpu?.serviceMs) },
  { title: 'PostgreSQL µs', cell: row => toMicroseconds(row.cpu?.postgresMs) },
  { title: 'load µs', cell: row => toMicroseconds(row.cpu?.loadMs) },
  { title: 'idle %', cell: ({ cpu }) => toPercent(cpu && cpu.idleMs / cpu.wholeMs) },
  { title: 'stolen %', cell: ({ cpu }) => toPercent(cpu && cpu.stolenMs / cpu.wholeMs) },
  { title: 'MiB', cell: row => row.memoryMiB?.toFixed(0) ?? '–' },
  { title: 'errors', cell: row => errorsOf(row) },
]

export function printTable(rows: readonly Row[]): string {
  return printCells([COLUMNS.map(({ title }) => title), ...rows.map(row => COLUMNS.map(({ cell }) => cell(row)))])
}

/** A Markdown table that is also readable in a terminal. The first row is the header. */
export function printCells(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map(line => line[column]?.length ?? 0)))
  const [head = '', ...body] = cells.map(
    line => `| ${line.map((cell, i) => pad(cell, i, widths[i] ?? 0)).join(' | ')} |`,
  )
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [head, rule, ...body].join('\n')
}

/** Aligns the name left and numbers right. */
function pad(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

function toMs(value: number): string {
  if (Number.isNaN(value)) return '–'
  return value.toFixed(value < 100 ? 1 : 0)
}

function toMicroseconds(ms: number | undefined): string {
  return ms === undefined ? '–' : (ms * 1000).toFixed(0)
}

function toPercent(share: number | undefined): string {
  return share === undefined ? '–' : (share * 100).toFixed(0)
}

function errorsOf({ errors, failures }: Row): string {
  const words = Object.entries(failures).map(([word, times]) => `${times} ${word}`)
  return errors === 0 ? '0' : words.join(', ')
}
