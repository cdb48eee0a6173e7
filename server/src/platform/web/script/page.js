/* The script of every page. Each page works without it; the parts that not every page has are loaded when a page has them. */
import { announce, readToast, say } from './announce.js'
import { keepEntries } from './kept.js'
import { follow, onShown } from './visit.js'

const CLOCK_MS = 30_000

// Buttons that need script are hidden without this mark.
document.documentElement.dataset.script = ''

/** The element or its closest ancestor that fits. @param {Event} event @param {string} selector @returns {HTMLElement | null} */
function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null
}

/* A form is posted once. The button stays in place, since its name and value are part of what is posted. */
document.addEventListener('submit', event => {
  const { target: form, submitter } = event
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== 'post') return
  if (form.dataset.posted !== undefined) return event.preventDefault()
  form.dataset.posted = ''
  const button = submitter ?? form.querySelector('button')
  button?.setAttribute('aria-disabled', 'true')
  button?.setAttribute('data-busy', '')
  announce(say('Working on it'))
})

/* After an answer, and back from the next page by the back button, a form may be posted again. */
function release() {
  for (const form of document.querySelectorAll('form[data-posted]')) form.removeAttribute('data-posted')
  for (const button of document.querySelectorAll('[data-busy]')) {
    button.removeAttribute('data-busy')
    button.removeAttribute('aria-disabled')
  }
}
window.addEventListener('pageshow', () => {
  release()
  announce('')
  readToast()
})

/* A toast that was closed does not come back with a newer content of the page. */
document.addEventListener('click', event => {
  const link = closest(event, '.toast-close')
  if (!link) return
  event.preventDefault()
  history.replaceState(history.state, '', link.getAttribute('href'))
  link.closest('.toast')?.remove()
})

/* A press or the focus elsewhere and Escape close a menu. @param {Element | null} except */
function closeMenus(except = /** @type {Element | null} */ (null)) {
  for (const menu of document.querySelectorAll('details[data-menu][open]')) {
    if (menu !== except) menu.removeAttribute('open')
  }
}
for (const type of ['click', 'focusin']) {
  document.addEventListener(type, event => closeMenus(closest(event, 'details[data-menu]')))
}
document.addEventListener('keydown', ({ key }) => {
  const menu = key === 'Escape' && document.querySelector('details[data-menu][open], .phone-menu[open]')
  if (!menu) return
  menu.removeAttribute('open')
  menu.querySelector('summary')?.focus()
})

/* Copies a text of the page. */
document.addEventListener('click', async event => {
  const button = closest(event, 'button[data-copy]')
  const id = button?.dataset.copy ?? ''
  const from = document.getElementById(id)
  if (!button || !from) return
  try {
    await navigator.clipboard.writeText(from.textContent ?? '')
    announce(say('Copied'))
    button.dataset.copied = ''
    if (button.childElementCount === 0) button.textContent = say('Copied')
  } catch {
    getSelection()?.selectAllChildren(from)
    announce(say('Selected. Copy it with your keyboard.'))
  }
})

/*
 * Links that open above the page: questions in a dialog, rows of a list in a drawer. Without script, or with the keys for a new tab, they
 * lead to a page. So do rows on a phone, where a drawer would cover the list.
 */
document.addEventListener(
  'click',
  event => {
    const link = closest(event, 'a[data-opens], [data-drawer] tbody th a')
    if (!(link instanceof HTMLAnchorElement) || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const { opens } = link.dataset
    if (!opens && !matchMedia('(min-width: 48rem)').matches) return
    event.preventDefault()
    import('./dialog.js').then(({ open }) => open(link.href, opens ?? 'drawer'))
  },
  true,
)

/* The check boxes of a list. */
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return
  const list = target.closest('[data-rows]')
  if (!list) return
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = list.querySelectorAll('input[name="chosen"]')
  if (target.dataset.chooseAll !== undefined) for (const box of boxes) box.checked = target.checked
  const chosen = [...boxes].filter(({ checked }) => checked).length
  const all = list.querySelector('[data-choose-all]')
  if (all instanceof HTMLInputElement) {
    all.checked = chosen === boxes.length
    all.indeterminate = chosen > 0 && chosen < boxes.length
  }
  const count = list.querySelector('[data-chosen-count]')
  if (count) count.textContent = `${chosen} chosen`
})

/* Search and keys. */
document.addEventListener('keydown', event => {
  const isTyping = closest(event, 'input:not([type="checkbox"], [type="radio"]), select, textarea, dialog')
  const isPalette = (event.metaKey || event.ctrlKey) && event.key === 'k'
  if (isPalette || (event.key === '/' && !isTyping)) {
    if (!document.querySelector('form[data-search]')) return
    event.preventDefault()
    import('./palette.js').then(({ open }) => open())
    return
  }
  if (isTyping || event.metaKey || event.ctrlKey || event.altKey || !'jko?'.includes(event.key)) return
  import('./keys.js').then(({ press }) => press(event.key))
})

/* The results appear while a person types: the search box opens the palette at a click. */
document.addEventListener('click', event => {
  if (closest(event, 'form[data-search] input')) import('./palette.js').then(({ open }) => open())
})

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/* Keeps "5 minutes ago" true. Dates stay dates. */
setInterval(() => {
  for (const time of document.querySelectorAll('time[data-relative]')) {
    const seconds = (Date.parse(time.getAttribute('datetime') ?? '') - Date.now()) / 1_000
    const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? []
    if (unit && size && Math.abs(seconds) < 30 * 86_400) {
      time.textContent = relative.format(Math.trunc(seconds / size), unit)
    }
  }
}, CLOCK_MS)

/* Runs for the first page and after each change. */
function begin() {
  release()
  const main = document.getElementById('main')
  if (main?.dataset.refresh !== undefined) import('./refresh.js').then(({ begin }) => begin())
  if (document.querySelector('[data-live]')) import('./live.js').then(({ begin }) => begin())
  if (document.querySelector('[data-chart]')) import('./chart.js').then(({ begin }) => begin())
}
keepEntries()
follow()
onShown(begin)
begin()

// Focuses the errors of a form first.
const problems = document.querySelector('[data-problems]')
if (problems instanceof HTMLElement) problems.focus()
