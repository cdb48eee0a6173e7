/* A page that shows events as they come: each message of the stream refreshes the page. Without a stream the page refreshes by time. */
import { refresh } from './refresh.js'

/** Many events within this time are one refresh. */
const AT_MOST_EACH_MS = 1_000
const WITHOUT_STREAM_MS = 5_000

/** @type {EventSource | undefined} */
let source
let url = ''
let isWaiting = false

export function begin() {
  const place = document.querySelector('[data-live]')
  const wanted = place?.getAttribute('data-live') ?? ''
  if (wanted === url && source?.readyState !== EventSource.CLOSED) return
  source?.close()
  url = wanted
  if (url === '') return
  source = new EventSource(url)
  source.onmessage = later
  source.onerror = () => {
    // The browser reconnects automatically, unless the server refused the stream.
    if (source?.readyState === EventSource.CLOSED) poll()
  }
}

function later() {
  if (isWaiting || isPaused()) return
  isWaiting = true
  setTimeout(async () => {
    await refresh()
    isWaiting = false
    begin()
  }, AT_MOST_EACH_MS)
}

function poll() {
  setTimeout(async () => {
    if (!document.querySelector('[data-live]')) return
    if (!document.hidden && !isPaused()) await refresh()
    poll()
  }, WITHOUT_STREAM_MS)
}

/* A check box of the page that stops the changes. */
function isPaused() {
  const pause = document.querySelector('[data-live-pause]')
  return pause instanceof HTMLInputElement && pause.checked
}
