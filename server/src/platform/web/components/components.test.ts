import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layout } from '../layout.ts'
import { appFace, badge, card, copyable, emptyState, facts, notice, receipt, steps } from './content.ts'
import { button, checkbox, choices, confirmation, form, linkButton, selectField, textField } from './form.ts'
import { table } from './table.ts'

const EVIL = `"><script>alert(1)</script><b x='`

test('no text passed to a component becomes markup', () => {
  const options = [{ value: EVIL, text: EVIL, detail: EVIL }]
  const person = { name: EVIL, email: EVIL }
  const made = [
    button(EVIL, { name: EVIL, value: EVIL, about: EVIL }),
    linkButton(EVIL, `/${EVIL.replaceAll(/\s/g, '')}`),
    badge(EVIL),
    card({ title: EVIL, badge: badge(EVIL), body: EVIL }),
    appFace({ name: EVIL, developer: EVIL }),
    textField({ name: EVIL, label: EVIL, value: EVIL, hint: EVIL, problem: EVIL }),
    selectField({ name: EVIL, label: EVIL, options, value: EVIL }),
    choices({ name: EVIL, legend: EVIL, options, hint: EVIL, problem: EVIL }),
    checkbox({ name: EVIL, text: EVIL, detail: EVIL }),
    form({
      csrf: EVIL,
      hidden: { [EVIL]: EVIL },
      problems: { [EVIL.replaceAll(' ', '')]: EVIL, '': EVIL },
      body: EVIL,
    }),
    confirmation({ csrf: EVIL }, { title: EVIL, words: EVIL, verb: EVIL, backHref: '/' }),
    notice('bad', EVIL, EVIL),
    emptyState(EVIL, EVIL),
    receipt({ currency: 'USD', lines: [{ text: EVIL, detail: EVIL, amount: 1 }], total: { text: EVIL, amount: 1 } }),
    facts([[EVIL, EVIL]]),
    copyable(EVIL, EVIL, EVIL),
    steps([EVIL], 0),
    table({ caption: EVIL, columns: [{ name: EVIL, cell: () => EVIL }], rows: [1] }),
    layout({
      title: EVIL,
      main: badge(EVIL),
      signedIn: { person, workspace: person },
      links: [{ href: '/', text: EVIL }],
    })({ name: EVIL, supportUrl: 'https://evil.example/?<script>' }),
  ]
  for (const { text } of made) {
    assert.ok(text.includes('&lt;script&gt;'))
    assert.doesNotMatch(text, /<script>|<b x/)
  }
})

test('a foreign address cannot be a script', () => {
  assert.throws(() => linkButton('x', 'javascript:alert(1)'), /neither a path of Tillhook/)
  assert.throws(() => appFace({ name: 'a', developer: 'b', iconUrl: 'data:text/html,x' }), /neither a path of Tillhook/)
  assert.throws(
    () => confirmation({ csrf: '' }, { title: 'a', words: '', verb: 'b', backHref: '//evil.example' }),
    /neither a path of Tillhook/,
  )
})

test('the label, hint and error of a field are accessible', () => {
  const { text } = textField({ name: 'email', label: 'E-mail', hint: 'Yours.', problem: 'Enter one.', type: 'email' })
  assert.match(text, /<label class="label" for="email">E-mail<\/label>/)
  assert.match(text, /aria-describedby="email-hint email-problem" aria-invalid="true"/)
  assert.match(text, /<p class="problem" id="email-problem"><span class="unseen">Problem: <\/span>Enter one\.<\/p>/)
  const fine = textField({ name: 'note', label: 'Note', isOptional: true }).text
  assert.doesNotMatch(fine, /aria-|required/)
})

test('a password is never rendered again, and a form always contains its token', () => {
  const { text } = form({ csrf: 'T', problems: { '': 'Wrong e-mail or password.' }, body: '' })
  assert.match(text, /<input type="hidden" name="csrf" value="T">/)
  assert.match(text, /<p class="notice-title">Wrong e-mail or password\.<\/p>/)
  const again = textField({ name: 'password', label: 'Password', type: 'password', value: 'hunter2hunter2' }).text
  assert.doesNotMatch(again, /hunter2/)
})
