/*
 * Links and forms without page loads: the script fetches the same page and puts it into the document. A page that cannot be put in, such
 * as a file, another policy or a newer version, is loaded as usual.
 */
import { announce, readToast, say } from './announce.js'
import { Idiomorph } from './idiomorph.js'

/** Called after each change of the document. */
const SHOWN = 'tillhook:shown'

const root = document.documentElement
let latest = 0
let address = location.pathname + location.search

/** @param {() => void} work */
export function onShown(work) {
  document.addEventListener(SHOWN, work)
}

/**
 * The document of an answer, if it can be put into the current one. `isOfForm`: the answer is only here. A page load would get the address
 * of the form instead, so an error outside the frame is put in, too.
 * @param {Response} answer @param {boolean} [isOfForm]
 */
export async function pageOf(answer, isOfForm = false) {
  if (answer.headers.get('content-type')?.startsWith('text/html') !== true) return null
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const isSame = page.documentElement.dataset.build === root.dataset.build
  return isOfForm || (isSame && canVisit(page)) ? page : null
}

/** @param {Document} page */
function canVisit(page) {
  // A page with its own scripts has its own policy.
  return page.body.hasAttribute('data-visit') && page.querySelector('main script') === null
}

/**
 * Puts a page into the document. `isSame`: the same page with newer content, so that open parts and typed text stay.
 * @param {Document} page @param {boolean} isSame
 */
export function put(page, isSame) {
  Idiomorph.morph(document.body, page.body, {
    morphStyle: 'outerHTML',
    // Of a focused element without a value, the option would keep the children.
    ignoreActiveValue: isSame && document.activeElement?.matches('input, textarea, select'),
    callbacks: {
      beforeAttributeUpdated: (name, node) => !(isSame && name === 'open' && node.nodeName === 'DETAILS'),
      beforeNodeRemoved: node => !(isSame && node instanceof HTMLDialogElement),
    },
  })
  document.title = page.title
  root.lang = page.documentElement.lang
  const { theme } = page.documentElement.dataset
  if (theme === undefined) delete root.dataset.theme
  else root.dataset.theme = theme
  document.dispatchEvent(new CustomEvent(SHOWN))
}

/** @param {Document} page @param {{ url: string, isNew: boolean, scroll: number }} where */
function show(page, { url, isNew, scroll }) {
  // The page takes the place of the drawer that led to it.
  if (isNew && history.state?.isDrawer) history.replaceState({}, '', url)
  else if (isNew && url !== location.href) push({}, url)
  const isSamePage = address.split('?')[0] === location.pathname
  address = location.pathname + location.search
  put(page, false)
  const target = document.getElementById(location.hash.slice(1))
  const first = document.querySelector('[data-problems], [autofocus]') ?? target ?? document.getElementById('main')
  if (first instanceof HTMLElement) first.focus({ preventScroll: true })
  if (target) target.scrollIntoView({ block: isSamePage ? 'nearest' : 'start' })
  else scrollTo(0, scroll)
  announce(document.title)
  readToast()
}

/** A new entry of the history. The entry before keeps its place on the page. @param {object} state @param {string} [url] */
export function push(state, url) {
  history.replaceState({ ...history.state, scroll: scrollY }, '')
  history.pushState(state, '', url)
}

/**
 * Shows the answer of a request, unless a later one was begun.
 * @param {Request} request @param {{ isNew: boolean, scroll?: number }} how
 */
async function visit(request, { isNew, scroll = 0 }) {
  const mine = ++latest
  root.dataset.visiting = ''
  try {
    const answer = await fetch(request)
    if (mine !== latest) return
    const isAnswered = request.method === 'POST' && !answer.redirected
    const page = await pageOf(answer, isAnswered)
    if (mine !== latest) return
    // 204: the browser stays at the page, as with a page load.
    if (answer.status === 204) return
    // The address of a form with mistakes stays that of its page: a reload shows the form and posts nothing.
    // The address of an answer has no hash.
    const url = answer.url + new URL(request.url).hash
    if (page) show(page, { url, isNew: isNew && !isAnswered, scroll })
    else location.assign(url)
  } catch {
    if (mine !== latest) return
    if (request.method === 'GET') return location.assign(request.url)
    const textContent = say('The request did not arrive. Check your connection and try again.')
    const notice = Object.assign(document.createElement('p'), { id: 'lost', className: 'notice bad', textContent })
    document.getElementById('lost')?.remove()
    document.getElementById('main')?.prepend(notice)
    notice.scrollIntoView({ block: 'center' })
    announce(textContent)
    document.dispatchEvent(new CustomEvent(SHOWN))
  } finally {
    if (mine === latest) delete root.dataset.visiting
  }
}

/** @param {string} url */
export function visitUrl(url) {
  return visit(asPage(url), { isNew: true })
}

/** @param {string} url @param {RequestInit} [more] */
function asPage(url, more) {
  return new Request(url, { headers: { accept: 'text/html' }, cache: 'no-store', ...more })
}

/** @param {URL} url */
function isOurs(url) {
  return url.origin === location.origin
}

/** Called once, after the page's own listeners: a form that they stopped is not sent. */
export function follow() {
  document.addEventListener('click', followLink)
  document.addEventListener('submit', sendForm)
  window.addEventListener('popstate', ({ state }) => {
    if (location.pathname + location.search === address) return
    visit(asPage(location.href), { isNew: false, scroll: state?.scroll ?? 0 })
  })
}

/** @param {MouseEvent} event */
function followLink(event) {
  if (!canVisit(document) || event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target || link.dataset.native !== undefined) return
  const url = new URL(link.href)
  const isWithin = url.hash !== '' && url.pathname + url.search === location.pathname + location.search
  if (!isOurs(url) || isWithin) return
  event.preventDefault()
  visitUrl(url.href)
}

/** @param {SubmitEvent} event */
function sendForm(event) {
  const { target: form, submitter } = event
  if (!canVisit(document) || event.defaultPrevented || !(form instanceof HTMLFormElement)) return
  if (form.target || form.dataset.native !== undefined) return
  // A field may be called "action" and hide the property.
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action')
  const url = new URL(action ?? location.href, location.href)
  if (!isOurs(url)) return
  event.preventDefault()
  const data = new FormData(form, submitter)
  const pairs = [...data].map(([name, value]) => [name, String(value)])
  if (form.method === 'get') {
    url.search = new URLSearchParams(pairs.filter(([, value]) => value !== '')).toString()
    visitUrl(url.href)
    return
  }
  const body = form.enctype === 'multipart/form-data' ? data : new URLSearchParams(pairs)
  visit(asPage(url.href, { method: 'POST', body }), { isNew: true })
}
