import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { accentTokens, contrast, GROUNDS, rejectBrand } from './brand.ts'

const HUES = ['#17604a', '#0b5bf5', '#7a1fa2', '#b00020', '#000000', '#3a3a3a', '#00574b']

test('each accepted accent has readable text and buttons in both themes', () => {
  for (const accent of HUES) {
    assert.equal(rejectBrand({ name: 'Acme', accent }), null, accent)
    for (const theme of ['light', 'dark'] as const) {
      const { paper, surface, ink } = GROUNDS[theme]
      const { accent: shown, accentStrong, accentSoft, onAccent } = accentTokens(accent, theme)
      const pairs = [
        ...[paper, surface, accentSoft].map(ground => [shown, ground] as const),
        ...[paper, surface].map(ground => [accentStrong, ground] as const),
        ...[shown, accentStrong].map(ground => [onAccent, ground] as const),
        [ink, accentSoft] as const,
      ]
      for (const [text, ground] of pairs) {
        assert.ok(contrast(text, ground) >= 4.5, `${accent} ${theme}: ${text} on ${ground}`)
      }
    }
    assert.equal(accentTokens(accent, 'light').accent, accent, 'the operator’s own colour in the light theme')
  }
})

test('an accent without enough contrast is rejected with the nearest colour that has it', () => {
  for (const accent of ['#ffd400', '#ffffff', '#7fbfff', '#ff7a00']) {
    const problem = rejectBrand({ name: 'Acme', accent })?.fields?.[0]?.problem ?? ''
    const nearest = /#[0-9a-f]{6}$/.exec(problem)?.[0] ?? assert.fail(problem)
    assert.equal(rejectBrand({ name: 'Acme', accent: nearest }), null, nearest)
  }
})

test('a link that is not https, and an accent that is not a colour, are rejected with the name of the field', () => {
  for (const [field, value] of [
    ['accent', 'green'],
    ['accent', '#12345'],
    ['supportUrl', 'http://acme.example'],
    ['supportUrl', 'mailto:nobody'],
    ['supportUrl', 'javascript:alert(1)'],
    ['termsUrl', 'mailto:terms@acme.example'],
    ['privacyUrl', 'https://user:password@acme.example'],
    ['imprintUrl', 'https://acme.example/\\'],
    ['imprintUrl', '/imprint'],
  ]) {
    const rejection = rejectBrand({ name: 'Acme', [String(field)]: value })
    assert.equal(rejection?.fields?.[0]?.path, field, `${field} ${value}`)
  }
  const links = { termsUrl: 'https://acme.example/terms', supportUrl: 'mailto:help@acme.example' }
  assert.equal(rejectBrand({ name: 'Acme', ...links }), null)
})

test('the background colours are those of tokens.css', () => {
  const css = readFileSync(new URL('../platform/web/tokens.css', import.meta.url), 'utf8')
  const [light = '', dark = ''] = css.split('prefers-color-scheme: dark')
  for (const [theme, text] of Object.entries({ light, dark })) {
    for (const [name, color] of Object.entries(GROUNDS[theme as keyof typeof GROUNDS])) {
      assert.match(text, new RegExp(`--${name}: ${color};`), `${theme} ${name}`)
    }
  }
})
