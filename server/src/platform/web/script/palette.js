/* Search above the page. `/search` is the same without script, and gives the results. */
import { say } from './announce.js'
import { closeButton, overlay } from './dialog.js'

const WAIT_MS = 150

export function open() {
  const opened = document.querySelector('dialog.palette')
  if (opened) return
  const dialog = overlay('dialog palette', say('Search'))
  const input = document.createElement('input')
  input.type = 'search'
  input.className = 'input'
  input.placeholder = say('Search pages, names, ids and numbers')
  input.setAttribute('aria-label', say('Search'))
  input.autocomplete = 'off'
  const results = document.createElement('div')
  results.className = 'palette-results'
  const bar = document.createElement('div')
  bar.className = 'palette-bar'
  bar.append(input, closeButton(dialog))
  dialog.append(bar, results)
  dialog.addEventListener('keydown', event => move(event, dialog))
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => find(input, results), WAIT_MS)
  })
  dialog.showModal()
  input.focus()
  find(input, results)
}

/** @param {HTMLInputElement} input @param {HTMLElement} results */
async function find(input, results) {
  const { value } = input
  const url = `/search?${new URLSearchParams({ q: value })}`
  const answer = await fetch(url, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(() => null)
  if (answer?.redirected) return location.assign(answer.url)
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html')
  const found = page?.getElementById('results')
  // A later letter has its own answer.
  if (found && value === input.value) results.replaceChildren(...found.childNodes)
}

/** @param {KeyboardEvent} event @param {HTMLElement} dialog */
function move(event, dialog) {
  /** @type {HTMLElement[]} */
  const stops = [...dialog.querySelectorAll('input, .palette-results a')].filter(stop => stop instanceof HTMLElement)
  const at = stops.findIndex(stop => stop.matches(':focus'))
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined) {
    event.preventDefault()
    stops[(at + step + stops.length) % stops.length]?.focus()
  } else if (event.key === 'Escape') {
    // The browser would clear the field first.
    event.preventDefault()
    if (dialog instanceof HTMLDialogElement) dialog.close()
  } else if (event.key === 'Enter' && at === 0) {
    event.preventDefault()
    stops[1]?.click()
  }
}
