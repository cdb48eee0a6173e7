import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../../', import.meta.url)
const HEAD = ['Gap', 'Choice', 'Reason', 'Where']

const lines = readFileSync(new URL('docs/spec-gaps.md', ROOT), 'utf8').split('\n')
const isRow = (line: string) => line.startsWith('|')
const table = lines.slice(lines.findIndex(isRow), lines.findLastIndex(isRow) + 1)
const [head, rule, ...rows] = table.map(cellsOf)

test('the gaps of the interface are one table of four cells a row, none of them empty', () => {
  assert.deepEqual(head, HEAD)
  assert.ok(rule?.every(cell => /^-+$/.test(cell)))
  const wrong = table.filter(line => !isRow(line) || cellsOf(line).length !== HEAD.length || cellsOf(line).includes(''))
  assert.deepEqual(wrong, [])
})

test('each gap is filled once', () => {
  const gaps = rows.map(([gap = '']) => gap.toLowerCase())
  assert.deepEqual(
    gaps.filter((gap, i) => gaps.indexOf(gap) !== i),
    [],
  )
})

test('where a gap is filled, there is a file: below server/src, or from the root', () => {
  const lost = rows.filter(([, , , where = '']) => {
    // What stands in brackets says what to look for there.
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
