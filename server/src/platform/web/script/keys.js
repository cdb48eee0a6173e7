/* Keys for lists: j and k go to the next and the previous row, o opens the row, ? shows the keys. */
import { closeButton, overlay } from './dialog.js'

/** @type {readonly (readonly [string, string])[]} */
const KEYS = [
  ['/', 'Search'],
  ['Ctrl K or ⌘ K', 'Search, also while typing'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row of a list'],
  ['o', 'Open the row'],
  ['?', 'Show the keys'],
]

/** @param {string} key */
export function press(key) {
  if (key === '?') return help()
  const rows = [...document.querySelectorAll('#main .table tbody tr')]
    .map(row => row.querySelector('a[href]'))
    .filter(link => link instanceof HTMLAnchorElement && link.checkVisibility())
  const at = rows.findIndex(link => link?.closest('tr')?.contains(document.activeElement))
  if (key === 'o') return /** @type {HTMLElement | undefined} */ (rows[at])?.click()
  const next = key === 'j' ? at + 1 : Math.max(at - 1, 0)
  const link = rows[Math.min(next, rows.length - 1)]
  if (link instanceof HTMLElement) link.focus()
}

function help() {
  const dialog = overlay('dialog', 'Keys')
  const content = document.createElement('div')
  content.className = 'overlay-content'
  const title = document.createElement('h2')
  title.textContent = 'Keys'
  const list = document.createElement('dl')
  list.className = 'facts'
  for (const [key, words] of KEYS) {
    const [name, meaning] = [document.createElement('dt'), document.createElement('dd')]
    name.append(Object.assign(document.createElement('kbd'), { textContent: key }))
    meaning.textContent = words
    list.append(name, meaning)
  }
  content.append(title, list)
  const bar = document.createElement('div')
  bar.className = 'overlay-bar'
  bar.append(closeButton(dialog))
  dialog.append(bar, content)
  dialog.showModal()
}
