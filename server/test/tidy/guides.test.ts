import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

test('the Java code of the guide "On the terminal" is code of the sample or of its test', () => {
  const sources = [
    textOf('android/sample/src/main/java/com/service/sample/MainActivity.java'),
    textOf('android/tests/src/test/java/com/service/sample/MainActivityTest.java'),
  ]
  const blocks = [...textOf('docs/guides/terminal.md').matchAll(/^```java\n(.*?)^```$/gms)].map(
    ([, code]) => code ?? '',
  )
  assert.ok(blocks.length >= 5)
  const foreign = blocks.filter(code => !sources.some(source => source.includes(code)))
  assert.deepEqual(foreign, [])
})
