import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** Commands, data and build files. Each other block is code. */
const NO_CODE = ['bash', 'text', 'json', 'gradle', 'xml']

/** The programs that tests run. A block with `file=` is a copy of a file in docs/guides/code. */
const RUN_BY_TESTS = [
  'android/sample/src/main/java/com/service/sample/MainActivity.java',
  'android/tests/src/test/java/com/service/sample/MainActivityTest.java',
  ...['Planner', 'WebhookController'].map(name => `sdk/java/tests/src/test/java/com/example/${name}.java`),
  'sdk/typescript/test/consumer.fixture.ts',
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
  // Imports stand at the top of a test.
  const code = copied.map(block => block.code.replace(/^((import|from) .*\n)+\n/, ''))
  assert.deepEqual(foreignTo(RUN_BY_TESTS, code), [])
})

test("the Java code of the SDK's README is code that tests run", () => {
  const blocks = [...textOf('sdk/java/README.md').matchAll(/^```java\n(.*?)^```$/gms)].map(([, code = '']) => code)
  assert.ok(blocks.length >= 4)
  assert.deepEqual(foreignTo(RUN_BY_TESTS, blocks), [])
})

/** The blocks that no source contains, whatever the indentation. */
function foreignTo(paths: readonly string[], blocks: readonly string[]): string[] {
  const flat = (code: string) => code.replaceAll(/^ +/gm, '')
  const sources = paths.map(path => flat(textOf(path)))
  return blocks.filter(code => !sources.some(source => source.includes(flat(code))))
}
