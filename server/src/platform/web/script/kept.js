/* A form that was sent after the session had ended: its entries wait until the person has signed in and is back at the page. */
import { onShown } from './visit.js'

const KEY = 'kept form'
/** A password is never stored. */
const FIELDS = ':is(input:not([type=hidden], [type=password], [type=file]), textarea, select)'

const isSigningIn = () => /^\/(sign-in|choose-workspace)/.test(location.pathname)

/** Called before the listener that sends the form. */
export function keepEntries() {
  document.addEventListener('submit', ({ target: form }) => {
    if (!(form instanceof HTMLFormElement) || form.method !== 'post' || !form.closest('main') || isSigningIn()) return
    const entries = fieldsOf(form).map(({ value, checked }) => [value, checked])
    store({ path: location.pathname, action: form.getAttribute('action'), entries })
  })
  onShown(giveBack)
  giveBack()
}

/** Entries whose form was answered without a sign-in are dropped. */
function giveBack() {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
  if (isSigningIn()) return store({ ...kept, isAway: true })
  sessionStorage.removeItem(KEY)
  if (!kept.isAway || kept.path !== location.pathname) return
  const forms = [...document.querySelectorAll('main form')]
  const form = forms.find(one => one.getAttribute('action') === kept.action)
  if (!form) return
  fieldsOf(form).forEach((field, place) => {
    const [value = field.value, checked] = kept.entries[place] ?? []
    Object.assign(field, { value, checked })
  })
}

/** @param {Element} form */
function fieldsOf(form) {
  return /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(FIELDS)])
}

/** @param {object} kept */
function store(kept) {
  sessionStorage.setItem(KEY, JSON.stringify(kept))
}
