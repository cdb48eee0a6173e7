/* The events of apps as they happen. The browser reconnects automatically; this script does so where the browser gives up. */

const MOST_SHOWN = 200
const AGAIN_MS = 3_000

get('.live').hidden = false
const list = get('#live-events')
const state = get('#live-state')
const pause = get('#live-pause')
const none = get('#live-none')
const { stream = '', subscription = '', event: eventPath = '' } = list.dataset
/** The names of the apps by id. @type {Record<string, string>} */
const apps = JSON.parse(list.dataset.apps ?? '{}')

/** Ids of the events that the page has shown. @type {Set<string>} */
const shown = new Set()
/** Events that wait while the page is paused. @type {string[]} */
let waiting = []
let isPaused = false
let isConnected = false
let after = ''

pause.addEventListener('click', () => {
  isPaused = !isPaused
  pause.setAttribute('aria-pressed', String(isPaused))
  pause.textContent = isPaused ? 'Resume' : 'Pause'
  if (!isPaused) for (const body of waiting.splice(0)) show(body)
  tell()
})
connect()

function connect() {
  const source = new EventSource(after === '' ? stream : `${stream}&after=${encodeURIComponent(after)}`)
  source.addEventListener('stream', ({ data, lastEventId }) => {
    after = lastEventId
    isConnected = true
    tell(JSON.parse(data).missed ? 'Connected. Earlier events may be missing.' : undefined)
  })
  source.addEventListener('notification', ({ data, lastEventId }) => {
    after = lastEventId
    if (!isPaused) return show(data)
    waiting.push(data)
    waiting = waiting.slice(-MOST_SHOWN)
    tell()
  })
  source.addEventListener('error', () => {
    isConnected = false
    tell()
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN_MS)
  })
}

/** @param {string} [words] */
function tell(words) {
  const live = isPaused ? `Paused, ${waiting.length} waiting` : 'Connected'
  state.textContent = words ?? (isConnected ? live : 'Reconnecting…')
}

/** @param {string} body */
function show(body) {
  const event = JSON.parse(body)
  // An event can come twice after a reconnect.
  if (shown.has(event.id)) return
  shown.add(event.id)
  none.hidden = true
  const item = newItem()
  const appId = event.applicationId.replace('urn:aid:', '')
  get('time', item).setAttribute('datetime', event.createdAt)
  get('time', item).textContent = new Date(event.createdAt).toUTCString().slice(5).replace('GMT', 'UTC')
  get('strong', item).textContent = event.eventType.replace('APPLICATION_', '')
  get('code', item).textContent = event.resourceId
  get('code + span', item).textContent = apps[appId] ?? ''
  get('pre', item).textContent = JSON.stringify(event, null, 2)
  get('a', item).setAttribute('href', eventPath.replace('-app-', appId) + event.id)
  if (event.resource === '/apps/subscriptions') {
    get('p span', item).hidden = false
    get('p span a', item).setAttribute('href', subscription.replace('-app-', appId) + event.resourceId)
  }
  list.prepend(item)
  while (list.childElementCount > MOST_SHOWN) list.lastElementChild?.remove()
}

function newItem() {
  const template = get('#live-event')
  if (!(template instanceof HTMLTemplateElement)) throw new Error('the page has no template of an event')
  return /** @type {DocumentFragment} */ (template.content.cloneNode(true))
}

/** @param {string} selector @param {ParentNode} [within] @returns {HTMLElement} */
function get(selector, within = document) {
  const found = within.querySelector(selector)
  if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`)
  return found
}
