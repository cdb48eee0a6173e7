import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inLanguage } from './say.ts'
import { scriptWords } from './script-words.ts'

test('the frame translates exactly the texts that its scripts show', () => {
  const scripts = globSync(`${import.meta.dirname}/script/*.js`).map(path => readFileSync(path, 'utf8'))
  const shown = scripts.flatMap(script => [...script.matchAll(/\bsay\('([^']+)'\)/g)].map(([, text]) => text ?? ''))
  assert.ok(shown.length > 0)
  const german: Record<string, string> = JSON.parse(inLanguage('de', scriptWords) ?? '{}')
  assert.deepEqual(Object.keys(german).toSorted(), [...new Set(shown)].toSorted())
  assert.equal(german.Close, 'Schließen')
  assert.equal(scriptWords(), undefined, 'an English page carries no words')
})
