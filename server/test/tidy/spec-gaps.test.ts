import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../../', import.meta.url)
const HEAD = ['Gap', 'Choice', 'Reason', 'Where']

const lines = readFileSync(new URL('docs/spec-gaps.md', ROOT), 'utf8').split('\n')
const isRow = (line: string) => line.startsWith('|')
const table = lines.filter(isRow)
const heads = lines.filter((line, i) => isRow(line) && !isRow(lines[i - 1] ?? ''))
const rows = table.filter(line => !heads.includes(line) && !/^\|( -+ \|)+$/.test(line)).map(cellsOf)

test('the gaps of the interface are tables with four non-empty cells in each row', () => {
  assert.ok(heads.length > 0 && rows.length > 0)
  for (const head of heads) assert.deepEqual(cellsOf(head), HEAD)
  const wrong = table.filter(line => cellsOf(line).length !== HEAD.length || cellsOf(line).includes(''))
  assert.deepEqual(wrong, [])
})

test('each gap is listed once', () => {
  const gaps = rows.map(([gap = '']) => gap.toLowerCase())
  assert.deepEqual(
    gaps.filter((gap, i) => gaps.indexOf(gap) !== i),
    [],
  )
})

test('each gap names an existing file or folder, below server/src or from the root', () => {
  const lost = rows.filter(([, , , where = '']) => {
    // Brackets name a place inside the file.
    const places = [...where.replace(/\([^)]*\)/g, '').matchAll(/`([^`]+)`/g)].map(([, place = '']) => place)
    return places.length === 0 || !places.every(place => exists(`server/src/${place}`) || exists(place))
  })
  assert.deepEqual(lost, [])
})

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim())
}

const exists = (path: string) => existsSync(new URL(path, ROOT))
