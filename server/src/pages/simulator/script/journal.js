/* For developers, beside the terminal: what was called, and what the app was given. Newest first. */

/** As many as anybody reads. */
const MOST = 100

export function createJournal(page) {
  const calls = page.querySelector('[data-calls]')
  const received = page.querySelector('[data-received]')

  return {
    call({ method, path, status, requestId }) {
      page.querySelector('[data-calls-table]').hidden = false
      page.querySelector('[data-calls-none]').hidden = true
      const row = document.createElement('tr')
      const isGood = status >= 200 && status < 300
      row.append(
        cell(`${method} ${path}`),
        cell(status === 0 ? 'none' : status, isGood ? 'good' : 'bad'),
        cell(requestId),
      )
      addFirst(calls, row)
    },
    /** `what` names the interface element, `values` the named values that the app receives. */
    receive(what, values) {
      page.querySelector('[data-received-none]').hidden = true
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

/** Text as it is, so that a result is shown as the app receives it; everything else as JSON. */
function linesOf(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n')
}

function cell(text, tone) {
  const cell = document.createElement('td')
  const code = document.createElement('code')
  code.textContent = text
  if (tone) code.className = `badge ${tone}`
  cell.append(code)
  return cell
}

function addFirst(list, item) {
  list.prepend(item)
  while (list.children.length > MOST) list.lastElementChild.remove()
}
