import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

test('the Java code of the guide "On the terminal" is code of the sample or of its test', () => {
  const sample = 'android/sample/src/main/java/com/service/sample/MainActivity.java'
  const itsTest = 'android/tests/src/test/java/com/service/sample/MainActivityTest.java'
  const blocks = blocksOf('docs/guides/terminal.md')
  assert.ok(blocks.length >= 5)
  assert.deepEqual(foreignTo([sample, itsTest], blocks), [])
})

test("the Java code of the guide SDKs and of the SDK's README is code that its tests run", () => {
  const folder = 'sdk/java/tests/src/test/java/com/example/'
  const blocks = ['docs/guides/sdks.md', 'sdk/java/README.md'].flatMap(blocksOf)
  assert.ok(blocks.length >= 7)
  assert.deepEqual(foreignTo([`${folder}Planner.java`, `${folder}WebhookController.java`], blocks), [])
})

function blocksOf(path: string): string[] {
  return [...textOf(path).matchAll(/^```java\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
}

/** The blocks that no source contains, whatever the indentation. */
function foreignTo(paths: readonly string[], blocks: readonly string[]): string[] {
  const flat = (code: string) => code.replaceAll(/^ +/gm, '')
  const sources = paths.map(path => flat(textOf(path)))
  return blocks.filter(code => !sources.some(source => source.includes(flat(code))))
}
