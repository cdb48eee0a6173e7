/* The terminal's display shows a copy of one template at a time. */

/**
 * The element that the page or a template must have.
 * @template {HTMLElement} E
 * @overload
 * @param {ParentNode} root @param {string} selector @param {new () => E} kind
 * @returns {E}
 */
/**
 * @overload
 * @param {ParentNode} root @param {string} selector
 * @returns {HTMLElement}
 */
/** @param {ParentNode} root @param {string} selector */
export function part(root, selector, kind = HTMLElement) {
  const found = root.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} ${selector}`)
  return found
}

/** The only form of a screen. @param {HTMLElement} screen */
export function formOf(screen) {
  return part(screen, 'form', HTMLFormElement)
}

/** A named field of a form. @param {HTMLFormElement} form @param {string} name */
export function fieldOf(form, name) {
  return part(form, `[name="${name}"]`, HTMLInputElement)
}

/**
 * Shows a screen and returns its element. Reading begins at its heading, or at `focus`.
 * @param {string} name
 */
export function show(name, { focus = 'h2' } = {}) {
  const screen = document.createElement('div')
  screen.className = 'screen'
  screen.dataset.shown = name
  screen.append(part(document, `template[data-screen="${name}"]`, HTMLTemplateElement).content.cloneNode(true))
  const place = part(document, '[data-screen-place]')
  place.replaceChildren(screen)
  place.scrollTop = 0
  const start = screen.querySelector(focus)
  if (start instanceof HTMLElement) start.focus()
  return screen
}

/** Shows a problem on the screen. An empty `title` clears the problem. @param {HTMLElement} screen @param {string} title */
export function showProblem(screen, title, words = '') {
  const problem = part(screen, '[data-problem]')
  problem.replaceChildren(...(title ? [noticeOf('bad', title, words)] : []))
}

/** @param {string} kind @param {string} title */
export function noticeOf(kind, title, words = '') {
  const notice = element('div', { className: `notice ${kind}` })
  notice.append(element('p', { className: 'notice-title', textContent: title }))
  if (words) notice.append(element('p', { textContent: words }))
  return notice
}

/**
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name @param {Partial<HTMLElementTagNameMap[N]>} properties @param {Node[]} children
 */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/**
 * A button of the terminal. `about` is for screen readers.
 * @typedef {{ kind?: 'plain' | 'primary', about?: string }} Look
 * @param {string} text @param {Look & { onPress(): void }} look
 */
export function actButton(text, { kind = 'plain', about, onPress }) {
  const made = element('button', { type: 'button', className: `button ${kind}`, textContent: text })
  if (about) made.append(element('span', { className: 'unseen', textContent: ` ${about}` }))
  made.addEventListener('click', onPress)
  return made
}

/** Runs the work of a form or button once at a time: a second press is ignored. @param {HTMLElement} button @param {() => unknown} work */
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

/** @param {HTMLFormElement} form @param {(fields: any) => unknown} work */
export function onSubmit(form, work) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    whileBusy(part(form, 'button'), () => work(Object.fromEntries(new FormData(form))))
  })
}
