/* Changes that people see are also said to people who listen. */

const place = () => document.getElementById('announcements')

/** A text of a script in the language of the page. `script-words.ts` lists the texts. @param {string} english @returns {string} */
export function say(english) {
  return JSON.parse(place()?.dataset.words ?? '{}')[english] ?? english
}

/** @param {string} text */
export function announce(text) {
  const spoken = place()
  if (spoken) spoken.textContent = text
}

/** @param {Element} element */
export function textOf(element) {
  return (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}

const ADDED_AFTER_MS = 100

/** A screen reader reads what is added to a status, and not what came with the page. */
export function readToast() {
  const toast = document.querySelector('.toast')
  if (toast) setTimeout(() => toast.append(...toast.childNodes), ADDED_AFTER_MS)
}
