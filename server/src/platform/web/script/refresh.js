/*
 * A page that waits for a bank, looked at again without being loaded again: what has changed is put in its place and said politely.
 * Without script the page refreshes itself.
 */

const main = document.getElementById('main')
const announcements = document.getElementById('announcements')
const MOST_SECONDS = 30

let seconds = Number(main.dataset.refresh)
let failures = 0
later()

function later() {
  setTimeout(look, Math.min(seconds * 2 ** failures, MOST_SECONDS) * 1000)
}

async function look() {
  // Nobody looks: the next time will do.
  if (document.hidden) return later()
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    // Signed out or gone: the browser shows the current page.
    if (answer.redirected) return location.reload()
    if (answer.status >= 500) throw new Error(String(answer.status))
    failures = 0
    show(new DOMParser().parseFromString(await answer.text(), 'text/html'))
  } catch {
    failures += 1
  }
  if (seconds > 0) later()
}

function show(latest) {
  const found = latest.getElementById('main')
  if (found === null) return location.reload()
  seconds = Number(found.dataset.refresh ?? 0)
  if (textOf(found) === textOf(main)) return
  const hadFocus = main.contains(document.activeElement)
  main.replaceChildren(...found.childNodes)
  document.title = latest.title
  if (hadFocus) main.focus()
  if (announcements) announcements.textContent = textOf(main.querySelector('h1') ?? main)
}

function textOf(element) {
  return element.textContent.replaceAll(/\s+/g, ' ').trim()
}
