/* Shows the figures at the pointer. The figures come from the table of the chart. */

export function begin() {
  for (const chart of document.querySelectorAll('[data-chart]')) {
    const marks = chart.querySelector('.chart-marks')
    if (!(marks instanceof SVGElement) || marks.dataset.hover !== undefined) continue
    marks.dataset.hover = ''
    // The tip of the browser would cover ours.
    for (const title of marks.querySelectorAll('title')) title.remove()
    marks.addEventListener('pointermove', event => show(chart, marks, event))
    marks.addEventListener('pointerleave', () => hide(chart))
  }
}

/** @param {Element} chart @param {SVGElement} marks @param {PointerEvent} event */
function show(chart, marks, { clientX }) {
  const rows = chart.querySelectorAll('tbody tr')
  const box = marks.getBoundingClientRect()
  const at = Math.min(rows.length - 1, Math.max(0, Math.floor(((clientX - box.left) / box.width) * rows.length)))
  const row = rows[at]
  if (!row) return
  const lines = [...row.querySelectorAll('td')].map(cell => `${cell.dataset.label}: ${cell.textContent}`)
  const place = chart.getBoundingClientRect()
  const x = box.left - place.left + ((at + 0.5) / rows.length) * box.width
  const cursor = partOf(chart, 'chart-cursor')
  cursor.style.left = `${x}px`
  cursor.style.top = `${box.top - place.top}px`
  cursor.style.height = `${box.height}px`
  const tip = partOf(chart, 'chart-tip')
  tip.textContent = [row.querySelector('th')?.textContent, ...lines].join('\n')
  tip.style.top = `${box.top - place.top}px`
  tip.style.left = `${x < place.width / 2 ? x + 8 : x - 8 - tip.offsetWidth}px`
}

/** @param {Element} chart */
function hide(chart) {
  for (const part of chart.querySelectorAll('.chart-cursor, .chart-tip')) part.remove()
}

/** @param {Element} chart @param {string} name @returns {HTMLElement} */
function partOf(chart, name) {
  const found = chart.querySelector(`.${name}`)
  if (found instanceof HTMLElement) return found
  const part = document.createElement('div')
  part.className = name
  part.setAttribute('aria-hidden', 'true')
  chart.append(part)
  return part
}
