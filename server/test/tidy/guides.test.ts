import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findCommand, parseCall } from '../../../cli/src/command.ts'
import { COMMANDS } from '../../../cli/src/commands.ts'

const ROOT = new URL('../../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** Commands, data and build files. Each other block is code. */
const NO_CODE = ['bash', 'text', 'json', 'gradle', 'xml']

/** Imports stand at the top of a test. */
const IMPORTS = /^((import|from) .*\n)+\n/

/** The programs that tests run. A block with `file=` is a copy of a file in docs/guides/code. */
const RUN_BY_TESTS = [
  'android/sample/src/main/java/com/service/sample/MainActivity.java',
  'android/tests/src/test/java/com/service/sample/MainActivityTest.java',
  ...['Planner', 'WebhookController'].map(name => `sdk/java/tests/src/test/java/com/example/${name}.java`),
  ...['consumer.fixture', 'events.test'].map(name => `sdk/typescript/test/${name}.ts`),
  'sdk/python/tests/test_service.py',
  'sdk/python/tests/test_webhooks.py',
]

test('all code of the guides is code that tests run', () => {
  const blocks = globSync('docs/guides/*.md', { cwd: ROOT }).flatMap(path =>
    [...textOf(path).matchAll(/^```(\w*)([^\n]*)\n(.*?)^```$/gms)].map(([, language = '', file = '', code = '']) => ({
      ...{ path, language, file, code },
    })),
  )
  assert.ok(blocks.length > 25)
  for (const { code } of blocks.filter(({ language }) => language === 'json')) JSON.parse(code)
  const copied = blocks.filter(({ language, file }) => !NO_CODE.includes(language) && file === '')
  assert.ok(copied.length > 10)
  const code = copied.map(block => block.code.replace(IMPORTS, ''))
  assert.deepEqual(foreignTo(RUN_BY_TESTS, code), [])
})

test("the code of the SDKs' READMEs is code that tests run", () => {
  for (const [sdk, language, fewest] of [
    ['java', 'java', 4],
    ['python', 'python', 5],
    ['typescript', 'ts', 4],
  ] as const) {
    const blocks = textOf(`sdk/${sdk}/README.md`).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
    const code = [...blocks].map(([, text = '']) => text.replace(IMPORTS, ''))
    assert.ok(code.length >= fewest, sdk)
    assert.deepEqual(foreignTo(RUN_BY_TESTS, code), [])
  }
})

/** Paths from the root or below server/src, in code spans and in the commands of code blocks. */
const PATH =
  /(?:`|npm run test:file -- )((?:server|bench|cli|sdk|demo|docs|scripts|contract|core|platform|money|webhooks|access|catalog|merchants|pages|runtime|terminals)\/[\w./-]+\.(?:ts|json|js|mjs|md|yml|sql))\b/g

test('every file that a document names exists', () => {
  const documents = globSync('{*.md,{server,bench,cli,sdk,demo,docs}/**/*.md}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  })
  const named = documents.flatMap(from => [...textOf(from).matchAll(PATH)].map(([, path = '']) => ({ from, path })))
  assert.ok(named.length > 100)
  const folders = ({ from }: { from: string }) => ['', 'server/src/', `${from}/../`]
  const isMissing = (one: { from: string; path: string }) =>
    folders(one).every(folder => !existsSync(new URL(folder + one.path, ROOT)))
  assert.deepEqual(
    named.filter(one => !one.path.includes('NNNN') && isMissing(one)),
    [],
  )
})

test('the command line accepts every command of the guides and READMEs', () => {
  const texts = globSync(['docs/**/*.md', 'sdk/*/README.md', 'cli/README.md', 'README.md'], { cwd: ROOT }).map(textOf)
  const inBlocks = texts.flatMap(text => [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block))
  const commands = inBlocks.flatMap(block => [
    ...block.matchAll(/^(?:npx |npm run )?tillhook (?:-- )?((?:"[^"\n]*"|[^#\n])+)/gm),
  ])
  assert.ok(commands.length > 15)
  for (const [line, rest = ''] of commands) {
    const words = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word)
    if (words.join() === '--help') continue
    const command = findCommand(COMMANDS, words)
    assert.ok(command, line)
    assert.doesNotThrow(() => parseCall(command, words, { env: {}, makeTerminal: () => ({}) as never }), line)
  }
})

/** The blocks that no source contains, whatever the indentation. */
function foreignTo(paths: readonly string[], blocks: readonly string[]): string[] {
  const flat = (code: string) => code.replaceAll(/^ +/gm, '')
  const sources = paths.map(path => flat(textOf(path)))
  return blocks.filter(code => !sources.some(source => source.includes(flat(code))))
}
