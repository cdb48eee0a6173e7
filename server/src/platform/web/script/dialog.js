/* Shows the content of another page above the page: in a dialog, or in a drawer beside the list. */
import { say } from './announce.js'
import { pageOf, push } from './visit.js'

/** Attributes that name an id. */
const REFERENCES = ['for', 'aria-describedby', 'aria-labelledby', 'data-copy', 'form']

/** @param {string} url @param {string} [look] */
export async function open(url, look = 'dialog') {
  const { href } = location
  const { dataset } = document.documentElement
  dataset.visiting = ''
  const answer = await fetch(url, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(() => null)
  const page = answer && !answer.redirected ? await pageOf(answer) : null
  delete dataset.visiting
  // The person has moved on to another page.
  if (href !== location.href) return
  const main = page?.getElementById('main')
  if (!main) return location.assign(url)
  const dialog = overlay(look, main.querySelector('h1')?.textContent ?? document.title)
  const content = document.createElement('div')
  content.className = 'overlay-content'
  content.append(...main.childNodes)
  useOwnIds(content)
  // A form without an action posts to the address of its page, which the document does not have.
  for (const form of content.querySelectorAll('form:not([action])')) form.setAttribute('action', url)
  const bar = document.createElement('div')
  bar.className = 'overlay-bar'
  bar.append(closeButton(dialog))
  if (look === 'drawer') {
    bar.prepend(pageLink(url))
    closeByBack(dialog)
  }
  dialog.dataset.url = url
  dialog.append(bar, content)
  dialog.showModal()
}

/** @param {string} href */
function pageLink(href) {
  return Object.assign(document.createElement('a'), {
    ...{ href, className: 'button quiet small', textContent: say('Open as a page') },
  })
}

/** The back button closes the drawer, and a drawer that closes otherwise goes back. @param {HTMLDialogElement} dialog */
function closeByBack(dialog) {
  if (!history.state?.isDrawer) push({ isDrawer: true })
  addEventListener('popstate', () => dialog.close(), { once: true })
  dialog.addEventListener('close', () => {
    if (history.state?.isDrawer) history.back()
  })
}

/** A dialog that leaves the document when it closes. @param {string} look @param {string} name */
export function overlay(look, name) {
  document.querySelector(`dialog[class="${look}"]`)?.remove()
  // A dialog may lie above a drawer.
  const below = document.querySelector('dialog.drawer')?.getAttribute('data-url') ?? location.href
  const { pathname } = new URL(below)
  const dialog = document.createElement('dialog')
  dialog.className = look
  dialog.setAttribute('aria-label', name)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', event => {
    const { target } = event
    const link = target instanceof Element ? target.closest('a[href]') : null
    // A way back to the page below, which keeps its place and its filters.
    const isBack = link instanceof HTMLAnchorElement && link.pathname === pathname && link.search + link.hash === ''
    if (isBack) event.preventDefault()
    // The backdrop belongs to the dialog; everything else within is a descendant.
    if (isBack || target === dialog) dialog.close()
  })
  document.body.append(dialog)
  return dialog
}

/** @param {HTMLDialogElement} dialog */
export function closeButton(dialog) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet small'
  button.textContent = say('Close')
  button.addEventListener('click', () => dialog.close())
  return button
}

/** The page may have elements with the same ids. @param {Element} content */
function useOwnIds(content) {
  for (const element of content.querySelectorAll('[id]')) {
    const { id } = element
    if (!document.getElementById(id)) continue
    element.id = `over-${id}`
    for (const name of REFERENCES) {
      for (const other of content.querySelectorAll(`[${name}="${CSS.escape(id)}"]`))
        other.setAttribute(name, element.id)
    }
  }
}
