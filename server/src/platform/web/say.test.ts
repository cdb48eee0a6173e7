import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayWords, moneyWords } from './format.ts'
import { html } from './html.ts'
import { choosePageLanguage, inLanguage, say, sayHtml } from './say.ts'

test('the language of the account wins over the languages of the browser, which are ordered by weight', () => {
  assert.equal(choosePageLanguage('fr', 'de'), 'fr')
  assert.equal(choosePageLanguage(undefined, 'de-AT,de;q=0.9,en;q=0.8'), 'de')
  assert.equal(choosePageLanguage(undefined, 'en;q=0.2, es ;q=0.9, it'), 'es')
  assert.equal(choosePageLanguage(undefined, 'it, pt-BR'), 'en')
})

test('an invalid Accept-Language falls back to English', () => {
  for (const header of [undefined, '', ',,;', '*', 'de;q=', `${'a,'.repeat(10_000)}de`, ';q=1', '../../etc']) {
    assert.equal(choosePageLanguage(undefined, header), 'en', header?.slice(0, 20))
  }
})

test('text, money and days follow the language of the page, also across awaits', async () => {
  const at = new Date('2026-03-12T10:00:00Z')
  const words = () => [moneyWords({ amount: 123_456, currency: 'EUR' }), dayWords(at)]
  assert.deepEqual(words(), ['€1,234.56', '12 March 2026'])
  const german = inLanguage('de', async () => {
    await null
    return words()
  })
  assert.deepEqual(inLanguage('fr', words), ['1 234,56 €', '12 mars 2026'])
  const first = (language: 'fr' | 'de') => inLanguage(language, () => dayWords(new Date('2026-03-01T10:00:00Z')))
  assert.deepEqual([first('fr'), first('de')], ['1er mars 2026', '1. März 2026'])
  assert.deepEqual(await german, ['1.234,56 €', '12. März 2026'])
})

test('the values of a sentence are escaped as text, and HTML stays HTML', () => {
  const name = '<b>Ann</b>'
  assert.equal(say`Hello ${name}`, 'Hello <b>Ann</b>')
  assert.equal(
    sayHtml`Hello ${name}, ${html`<a href="/my">open</a>`}`.text,
    'Hello &lt;b&gt;Ann&lt;/b&gt;, <a href="/my">open</a>',
  )
  assert.equal(
    inLanguage('x-pseudo', () => say`Hello ${name}`),
    '⟦Hello <b>Ann</b>⟧',
  )
})
