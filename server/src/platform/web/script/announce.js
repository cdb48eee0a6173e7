/* Changes that people see are also said to people who listen. */

/** @param {string} text */
export function announce(text) {
  const place = document.getElementById('announcements')
  if (place) place.textContent = text
}

/** @param {Element} element */
export function textOf(element) {
  return (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}
