/* An app's events as they happen. The browser reconnects by itself; this script does so where the browser gives up. */

const MOST_SHOWN = 200
const AGAIN_MS = 3_000

const list = document.getElementById('live-events')
const state = document.getElementById('live-state')
const pause = document.getElementById('live-pause')
const none = document.getElementById('live-none')
const template = document.getElementById('live-event')
const { stream, subscriptions } = list.dataset

const shown = new Set()
let waiting = []
let isPaused = false
let isConnected = false
let after = ''

list.closest('.live').hidden = false
pause.addEventListener('click', () => {
  isPaused = !isPaused
  pause.setAttribute('aria-pressed', String(isPaused))
  pause.textContent = isPaused ? 'Resume' : 'Pause'
  if (!isPaused) for (const body of waiting.splice(0)) show(body)
  tell()
})
connect()

function connect() {
  const source = new EventSource(after === '' ? stream : `${stream}?after=${encodeURIComponent(after)}`)
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

function tell(words) {
  const live = isPaused ? `Paused, ${waiting.length} waiting` : 'Connected'
  state.textContent = words ?? (isConnected ? live : 'Reconnecting…')
}

function show(body) {
  const event = JSON.parse(body)
  // An event can come twice after a reconnect.
  if (shown.has(event.id)) return
  shown.add(event.id)
  none.hidden = true
  const item = template.content.cloneNode(true)
  const time = item.querySelector('time')
  time.dateTime = event.createdAt
  time.textContent = event.createdAt.replace('T', ' ').replace('Z', '')
  item.querySelector('strong').textContent = event.eventType.replace('APPLICATION_', '')
  item.querySelector('code').textContent = event.resourceId
  item.querySelector('pre').textContent = JSON.stringify(event, null, 2)
  if (event.resource === '/apps/subscriptions') {
    item.querySelector('p').hidden = false
    item.querySelector('a').href = `${subscriptions}/${event.resourceId}`
  }
  list.prepend(item)
  while (list.childElementCount > MOST_SHOWN) list.lastElementChild.remove()
}
