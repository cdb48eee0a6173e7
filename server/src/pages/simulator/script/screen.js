/* What the glass shows: a copy of one template at a time. */

const place = document.querySelector('[data-screen-place]')

/** Shows a screen and returns its element. Reading begins at its heading, or at `focus`. */
export function show(name, { focus = 'h2' } = {}) {
  const screen = document.createElement('div')
  screen.className = 'screen'
  screen.dataset.shown = name
  screen.append(document.querySelector(`template[data-screen="${name}"]`).content.cloneNode(true))
  place.replaceChildren(screen)
  place.scrollTop = 0
  screen.querySelector(focus)?.focus()
  return screen
}

/** Shows a problem on the screen. An empty `title` clears it. */
export function showProblem(screen, title, words = '') {
  const problem = screen.querySelector('[data-problem]')
  problem.replaceChildren(...(title ? [noticeOf('bad', title, words)] : []))
}

export function noticeOf(kind, title, words = '') {
  const notice = element('div', { className: `notice ${kind}` })
  notice.append(element('p', { className: 'notice-title', textContent: title }))
  if (words) notice.append(element('p', { textContent: words }))
  return notice
}

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** A button of the terminal. `about` is for screen readers. */
export function actButton(text, { kind = 'plain', about, onPress }) {
  const made = element('button', { type: 'button', className: `button ${kind}`, textContent: text })
  if (about) made.append(element('span', { className: 'unseen', textContent: ` ${about}` }))
  made.addEventListener('click', onPress)
  return made
}

/** Runs the work of a form or button once at a time: pressed again meanwhile, nothing more happens. */
export async function whileBusy(button, work) {
  if (button.getAttribute('aria-disabled') === 'true') return
  button.setAttribute('aria-disabled', 'true')
  button.dataset.busy = ''
  try {
    await work()
  } finally {
    button.removeAttribute('aria-disabled')
    delete button.dataset.busy
  }
}

export function onSubmit(form, work) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    whileBusy(form.querySelector('button'), () => work(Object.fromEntries(new FormData(form))))
  })
}
