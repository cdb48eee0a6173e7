import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, trusted } from './html.ts'

const EVIL = `"><script>alert('1')</script>&`
const SAFE = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'

test('no value in text or an attribute becomes markup', () => {
  assert.equal(html`<p>${EVIL}</p>`.text, `<p>${SAFE}</p>`)
  assert.equal(html`<p title="${EVIL}" lang='${EVIL}'>x</p>`.text, `<p title="${SAFE}" lang='${SAFE}'>x</p>`)
  assert.equal(html`<p ${{ title: EVIL }}>x</p>`.text, `<p title="${SAFE}">x</p>`)
  assert.equal(html`<title>${'</title><b>'}</title>`.text, '<title>&lt;/title&gt;&lt;b&gt;</title>')
})

test('lists, other templates and numbers are rendered, and null renders nothing', () => {
  const items = ['a', '<'].map(one => html`<li>${one}</li>`)
  assert.equal(html`<ul>${items}</ul>`.text, '<ul><li>a</li><li>&lt;</li></ul>')
  assert.equal(html`<p>${0}${null}${undefined}${false}${''}${trusted('<b>b</b>')}</p>`.text, '<p>0<b>b</b></p>')
})

test('attributes are rendered by the type of their values', () => {
  const attributes = { name: 'a', required: true, disabled: false, value: undefined, 'aria-label': '', min: 0 }
  assert.equal(html`<input ${attributes}>`.text, '<input name="a" required aria-label="" min="0">')
})

test('a URL is a path of Tillhook or a web address, and its special characters are encoded', () => {
  for (const url of [
    '/a?b=c',
    '#a',
    '?a',
    'https://a.example',
    'mailto:a@b.example',
    'data:image/png;base64,AA==',
    'data:application/x-pem-file;base64,AA==',
  ]) {
    assert.equal(html`<a href="${url}">x</a>`.text, `<a href="${url}">x</a>`)
    assert.equal(html`<a ${{ href: url }}>x</a>`.text, `<a href="${url}">x</a>`)
  }
  for (const url of [
    ...['javascript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'JaVaScRiPt:x', 'data:text/html,x'],
    ...[
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'vbscript:x',
      'data:image/svg+xml,<svg>',
      'evil.example',
    ],
  ]) {
    assert.throws(() => html`<a href="${url}">x</a>`, /neither a path of Tillhook/, url)
    assert.throws(() => html`<form ${{ action: url }}></form>`, /neither a path of Tillhook/, url)
  }
  assert.equal(html`<a href="/x?next=${'/a&b"'}">x</a>`.text, '<a href="/x?next=%2Fa%26b%22">x</a>')
  assert.equal(html`<a href="/${'/evil.example'}">x</a>`.text, '<a href="/%2Fevil.example">x</a>')
})

test('a value in an unsafe position of a template throws', () => {
  for (const make of [
    () => html`<script>${'x'}</script>`,
    () => html`<script>a</script ><style>${'x'}</style>`,
    () => html`<!-- ${'x'} -->`,
    () => html`<p class=${'x'}>a</p>`,
    () => html`<p onclick="${'x'}">a</p>`,
    () => html`<p style="${'x'}">a</p>`,
    () => html`<iframe srcdoc="${'x'}"></iframe>`,
    () => html`<${'p'}>a</p>`,
    () => html`<p ${'class'}="a">a</p>`,
    () => html`<p ${{ onclick: 'x' }}>a</p>`,
    () => html`<p ${{ style: 'x' }}>a</p>`,
    () => html`<p ${{ 'a b': 'x' }}>a</p>`,
    () => html`<p title="${html`<b>a</b>`}">a</p>`,
    () => html`<p title="${undefined}">a</p>`,
    () => html`<p>${{ a: 1 }}</p>`,
    () => html`<p title="a`,
    () => html`<p `,
    () => html`1 < 2`,
  ]) {
    assert.throws(make, /^AssertionFailure: html: /, String(make))
  }
})

test('scripts and styles that the template contains are unchanged', () => {
  assert.equal(html`<style>a > b { c: d }</style><p>${'<'}</p>`.text, '<style>a > b { c: d }</style><p>&lt;</p>')
  assert.equal(html`<!-- <p> --><p>${'<'}</p>`.text, '<!-- <p> --><p>&lt;</p>')
})
