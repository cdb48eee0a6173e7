import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PROBLEMS } from '../../src/platform/http/problems.ts'
import { isTest, sourceFiles } from './source-files.ts'
import { textsOf } from './translations.ts'

/** Texts that pages show without a mark in the source. */
const UNMARKED = Object.values(PROBLEMS).map(({ message }) => message)

const sources = sourceFiles('server/src/**/*.ts').filter(({ path }) => !isTest(path))
const texts = new Set([...sources.flatMap(({ text }) => textsOf(text)), ...UNMARKED])

for (const language of ['de', 'fr', 'es']) {
  const path = new URL(`../../src/platform/web/words/${language}.json`, import.meta.url)
  const words: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))

  test(`${language}.json translates every text, and nothing else`, () => {
    const missing = [...texts].filter(text => words[text] === undefined)
    const unused = Object.keys(words).filter(text => !texts.has(text))
    assert.deepEqual({ missing, unused }, { missing: [], unused: [] })
  })

  test(`a text of ${language}.json has the placeholders of its English text`, () => {
    const valuesOf = (text: string) => [...text.matchAll(/\{\d+\}/g)].map(([value]) => value).toSorted()
    for (const [text, translated] of Object.entries(words)) {
      assert.deepEqual(valuesOf(translated), valuesOf(text), text)
      assert.equal(translated.trim() !== '', true, text)
    }
  })
}

test('texts are found in nested values, across lines, and in constants', () => {
  const source =
    "say`One ${a ? say`two ${b}` : \"}\"} three`; english(\n  'It\\'s',\n); sayHtml`Open ${html`<a>${say`it`}</a>`}.`"
  assert.deepEqual(textsOf(source), ["It's", 'One {0} three', 'two {0}', 'Open {0}.', 'it'])
})
