/* Shows newer content of the same page in its place. Without script a waiting page reloads itself. */
import { announce, textOf } from './announce.js'
import { put } from './visit.js'

const MOST_SECONDS = 30

let failures = 0
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

/* Called for every page that waits, and again for the next one. */
export function begin() {
  clearTimeout(timer)
  const seconds = Number(document.getElementById('main')?.dataset.refresh ?? 0)
  if (seconds > 0) timer = setTimeout(poll, Math.min(seconds * 2 ** failures, MOST_SECONDS) * 1000)
}

async function poll() {
  // A hidden page is not refreshed: the next time is early enough.
  if (!document.hidden) failures = (await refresh()) ? 0 : failures + 1
  begin()
}

/** False if the server did not answer. */
export async function refresh() {
  const { href } = location
  try {
    const answer = await fetch(href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    // The person has moved on to another page.
    if (href !== location.href || document.documentElement.dataset.visiting !== undefined) return true
    // Signed out or gone: the browser shows the current page.
    if (answer.redirected) location.reload()
    else if (answer.status >= 500) return false
    else show(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    return true
  } catch {
    return false
  }
}

/** @param {Document} page */
function show(page) {
  const [found, main] = [page.getElementById('main'), document.getElementById('main')]
  if (!found || !main || page.documentElement.dataset.build !== document.documentElement.dataset.build) {
    return location.reload()
  }
  main.dataset.refresh = found.dataset.refresh ?? ''
  if (textOf(found) === textOf(main)) return
  const focused = main.contains(document.activeElement) ? document.activeElement : null
  const target = focused?.getAttribute('href')
  put(page, true)
  // The focused link is gone or is another one now: reading begins at the new content.
  if (focused && !(focused.isConnected && focused.getAttribute('href') === target)) main.focus({ preventScroll: true })
  announce(textOf(document.querySelector('#main h1') ?? main))
}
