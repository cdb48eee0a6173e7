/* The developers' pane beside the terminal lists the calls and the app's results, newest first. */
import { part } from './screen.js'

/** The number of rows in each list. */
const MOST = 100

/** @typedef {ReturnType<typeof createJournal>} Journal */

/** @param {HTMLElement} page */
export function createJournal(page) {
  const calls = part(page, '[data-calls]')
  const received = part(page, '[data-received]')

  return {
    /** @param {{ method: string, path: string, status: number, requestId: string }} call */
    call({ method, path, status, requestId }) {
      part(page, '[data-calls-table]').hidden = false
      part(page, '[data-calls-none]').hidden = true
      const row = document.createElement('tr')
      const isGood = status >= 200 && status < 300
      row.append(
        cell(`${method} ${path}`),
        cell(status === 0 ? 'none' : String(status), isGood ? 'good' : 'bad'),
        cell(requestId),
      )
      addFirst(calls, row)
    },
    /**
     * `what` names the interface element, `values` the named values that the app receives.
     * @param {string} what @param {object} values
     */
    receive(what, values) {
      part(page, '[data-received-none]').hidden = true
      const entry = document.createElement('li')
      const details = document.createElement('details')
      const summary = document.createElement('summary')
      const text = document.createElement('pre')
      summary.textContent = what
      text.textContent = linesOf(values)
      text.tabIndex = 0
      details.append(summary, text)
      entry.append(details)
      addFirst(received, entry)
    },
  }
}

/** Shows text unchanged, as the app receives it, and every other value as JSON. @param {object} values */
function linesOf(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n')
}

/** @param {string} text @param {'good' | 'bad'} [tone] */
function cell(text, tone) {
  const cell = document.createElement('td')
  const code = document.createElement('code')
  code.textContent = text
  if (tone) code.className = `badge ${tone}`
  cell.append(code)
  return cell
}

/** @param {Element} list @param {Element} item */
function addFirst(list, item) {
  list.prepend(item)
  while (list.children.length > MOST) list.lastElementChild?.remove()
}
