/* Keeps a form that was sent after the session ended. */
import { onShown } from './visit.js'

const KEY = 'kept form'
const FIELDS = ':is(input:not([type=hidden], [type=password], [type=file]), textarea, select)'

const isAway = () => /^\/(sign-in|choose-workspace)/.test(location.pathname)

export function keepEntries() {
  document.addEventListener('submit', ({ target: form }) => {
    if (!(form instanceof HTMLFormElement) || form.method !== 'post' || !form.closest('main') || isAway()) return
    const entries = fieldsOf(form).map(({ value, checked }) => ({ value, checked }))
    store({ path: location.pathname, action: form.getAttribute('action'), entries })
  })
  onShown(giveBack)
  giveBack()
}

function giveBack() {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
  if (isAway()) return store({ ...kept, left: true })
  sessionStorage.removeItem(KEY)
  if (!kept.left || kept.path !== location.pathname) return
  const forms = [...document.querySelectorAll('main form')]
  const form = forms.find(one => one.getAttribute('action') === kept.action)
  const fields = fieldsOf(form ?? document.head)
  if (fields.length !== kept.entries.length) return
  for (const place in fields) Object.assign(fields[place], kept.entries[place])
}

/** @param {Element} form */
function fieldsOf(form) {
  return /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(FIELDS)])
}

/** @param {object} kept */
function store(kept) {
  sessionStorage.setItem(KEY, JSON.stringify(kept))
}
