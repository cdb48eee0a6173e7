import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { BANS, RETIRED } from './banned.ts'
import { ALLOWED_IMPORTS, contextOf, sliceOf } from './contexts.ts'
import { MOST, measureProse } from './prose.ts'
import { isTest, sourceFiles } from './source-files.ts'

/** The limit of lines per file. */
const MOST_LINES = 400

const SRC = 'server/src/'
const files = sourceFiles()
const code = files.filter(({ path }) => path.startsWith(SRC) && !isTest(path))

test('a context imports only the contexts that the list allows', () => {
  const wrong = imports().filter(({ from, to }) => from !== to && !ALLOWED_IMPORTS[from]?.includes(to))
  assert.deepEqual(
    wrong.map(
      ({ path, target }) =>
        `${path} may not import ${target}. Move the code, or change contexts.ts and ARCHITECTURE.md.`,
    ),
    [],
  )
})

test('the list of allowed imports has an entry for each context', () => {
  const contexts = new Set(code.map(({ path }) => contextOf(path.slice(SRC.length))))
  assert.deepEqual([...contexts].toSorted(), Object.keys(ALLOWED_IMPORTS).toSorted())
})

test('the contexts have no cycle', () => {
  const contexts = [
    'core',
    'platform',
    'catalog',
    'merchants',
    'access',
    'webhooks',
    'money',
    'terminals',
    'pages',
    'runtime',
    'app',
    'start',
    'main',
  ]
  const backward = contexts.flatMap((from, i) =>
    (ALLOWED_IMPORTS[from] ?? []).filter(to => contexts.indexOf(to) > i).map(to => `${from} imports ${to}`),
  )
  assert.deepEqual(backward, [])
})

test('the picture in ARCHITECTURE.md shows the allowed imports of the contexts', () => {
  const [page] = sourceFiles('ARCHITECTURE.md')
  const arrows = [...(page?.text.matchAll(/^ {2}(\w+) --> (\w+)$/gm) ?? [])]
  const shown = new Set(arrows.flatMap(([, from = '', to = '']) => [from, to]))
  const reached = (from: string): string[] =>
    arrows.flatMap(([, start, to = '']) => (start === from ? [to, ...reached(to)] : []))
  assert.ok(shown.size > 10, 'the picture is there')
  for (const context of shown) {
    const allowed = ALLOWED_IMPORTS[context]?.filter(to => shown.has(to))
    assert.deepEqual(allowed?.toSorted(), [...new Set(reached(context))].toSorted(), context)
  }
})

test("no slice imports another slice's routes", () => {
  const wrong = imports().filter(
    ({ slice, targetSlice, from, target }) => slice !== targetSlice && /routes\.ts$/.test(target) && from !== 'app',
  )
  assert.deepEqual(
    wrong.map(({ path, target }) => `${path} imports ${target}`),
    [],
  )
})

test('no file is longer than the limit', () => {
  const long = files.filter(({ text }) => text.split('\n').length > MOST_LINES)
  assert.deepEqual(
    long.map(({ path }) => `${path}: over ${MOST_LINES} lines. Which of its ideas wants a file of its own?`),
    [],
  )
})

test('no banned construct occurs', () => {
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

test('no retired term returns', () => {
  const texts = '{docs,contract,cli,sdk,server}/**/*.{md,json,yml,sql,py,java},{*.md,{cli,sdk}/**/*.ts}'
  const retired = [...files, ...sourceFiles(`{${texts}}`)]
    .filter(({ path }) => !path.startsWith('server/test/tidy/'))
    .flatMap(({ path, text }) => RETIRED.filter(term => term.test(text)).map(term => `${path}: ${term.source}`))
  assert.deepEqual(retired, [], 'GLOSSARY.md has the term to use')
})

test('comments and documents are plain prose: `npm run prose` shows the folders', () => {
  const total = measureProse(['.']).get('TOTAL')
  assert.ok(total !== undefined && total.sentences > 5_000, 'the measure finds the prose')
  for (const kind of ['begins', 'pronouns', 'odd'] as const) {
    assert.ok(total[kind] <= MOST[kind], `${kind}: ${total[kind].toFixed(1)} %, more than ${MOST[kind]} %`)
  }
})

test('no file has a name like utils or helpers', () => {
  const drawers = files.filter(({ path }) => /\/(utils?|helpers?|common|managers?|handlers?|misc)(\.ts$|\/)/.test(path))
  assert.deepEqual(
    drawers.map(({ path }) => `${path}: name the file after its one idea`),
    [],
  )
})

test("every slice's README says what the slice owns", () => {
  const slices = new Set(code.map(({ path }) => sliceOf(path.slice(SRC.length))).filter(slice => slice.includes('/')))
  const readmes = new Set(sourceFiles('server/src/*/*/README.md').map(({ path }) => sliceOf(path.slice(SRC.length))))
  assert.deepEqual(
    [...slices].filter(slice => !readmes.has(slice)),
    [],
  )
})

test('every test title is a sentence, and every test file asserts', () => {
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
    [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].flatMap(([, relative = '']) => {
      const target = posix.join(posix.dirname(path), relative)
      if (!target.startsWith(SRC)) return []
      const [of, to] = [path.slice(SRC.length), target.slice(SRC.length)]
      return [{ path, target, from: contextOf(of), to: contextOf(to), slice: sliceOf(of), targetSlice: sliceOf(to) }]
    }),
  )
}
