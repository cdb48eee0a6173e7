import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { BANS } from './banned.ts'
import { LAYERS, layerOf } from './layers.ts'
import { isTest, sourceFiles } from './source-files.ts'

/** What fits in one head, with room to spare. */
const MOST_LINES = 400

const SRC = 'server/src/'
const files = sourceFiles()
const code = files.filter(({ path }) => path.startsWith(SRC) && !isTest(path))

test('a folder imports only folders below it', () => {
  const wrong = imports().filter(({ from, to }) => from !== to && rank(to) >= rank(from))
  assert.deepEqual(
    wrong.map(({ path, from, to }) => `${path}: ${from} may not import ${to}. Move the code, or mend layers.ts.`),
    [],
  )
})

test('every folder has its place in the order of layers', () => {
  const layers = new Set(code.map(({ path }) => layerOf(path.slice(SRC.length))))
  assert.deepEqual(
    [...layers].filter(layer => rank(layer) < 0),
    [],
  )
})

test("no slice imports another slice's routes", () => {
  const wrong = imports().filter(({ from, to, target }) => from !== to && /routes\.ts$/.test(target) && from !== 'app')
  assert.deepEqual(
    wrong.map(({ path, target }) => `${path} imports ${target}`),
    [],
  )
})

test('no file is longer than fits in one head', () => {
  const long = files.filter(({ text }) => text.split('\n').length > MOST_LINES)
  assert.deepEqual(
    long.map(({ path }) => `${path}: over ${MOST_LINES} lines. Which of its ideas wants a file of its own?`),
    [],
  )
})

test('what is banned is nowhere', () => {
  const found: string[] = []
  for (const { path, text } of files) {
    if (path.startsWith('server/test/tidy/')) continue
    for (const { pattern, where, except, instead } of BANS) {
      if (!where.test(path) || except?.test(path) || isTest(path) !== where.source.includes('test')) continue
      text.split('\n').forEach((line, i) => {
        const bare = line.replace(/^\s*(\*|\/\/|\/\*\*).*$/, '')
        if (pattern.test(bare) && !except?.test(bare)) found.push(`${path}:${i + 1} ${bare.trim()} — ${instead}`)
      })
    }
  }
  assert.deepEqual(found, [])
})

test('no file is a drawer', () => {
  const drawers = files.filter(({ path }) => /\/(utils?|helpers?|common|managers?|handlers?|misc)(\.ts$|\/)/.test(path))
  assert.deepEqual(
    drawers.map(({ path }) => `${path}: a drawer is no room; name it for its one idea`),
    [],
  )
})

test('every slice tells what it owns', () => {
  const slices = new Set(
    code.filter(({ path }) => path.slice(SRC.length).includes('/')).map(({ path }) => layerOf(path.slice(SRC.length))),
  )
  const readmes = new Set(sourceFiles('server/src/*/README.md').map(({ path }) => layerOf(path.slice(SRC.length))))
  assert.deepEqual(
    [...slices].filter(slice => !readmes.has(slice)),
    [],
  )
})

test('every test title states something, and every test file asserts', () => {
  const empty = files.filter(
    ({ path, text }) => path.endsWith('.test.ts') && !/assert|expect|check|Conformance/i.test(text),
  )
  assert.deepEqual(
    empty.map(({ path }) => path),
    [],
  )
})

function imports() {
  return code.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, relative = '']) => {
      const target = posix.join(posix.dirname(path), relative)
      return { path, target, from: layerOf(path.slice(SRC.length)), to: layerOf(target.slice(SRC.length)) }
    }),
  )
}

function rank(layer: string): number {
  return (LAYERS as readonly string[]).indexOf(layer)
}
