/* Keys for lists: j and k go to the next and the previous row, o opens the row, ? shows the keys. */
import { open } from './dialog.js'

/** @param {string} key */
export function press(key) {
  // As search, the page of the keys needs a session.
  if (key === '?') return document.querySelector('form[data-search]') && open('/keys')
  const rows = [...document.querySelectorAll('#main .table tbody tr')]
    .map(row => row.querySelector('a[href]'))
    .filter(link => link instanceof HTMLAnchorElement && link.checkVisibility())
  const at = rows.findIndex(link => link?.closest('tr')?.contains(document.activeElement))
  if (key === 'o') return /** @type {HTMLElement | undefined} */ (rows[at])?.click()
  const next = key === 'j' ? at + 1 : Math.max(at - 1, 0)
  const link = rows[Math.min(next, rows.length - 1)]
  if (link instanceof HTMLElement) link.focus()
}
