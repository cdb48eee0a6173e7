/* What a page is better with and works without: one press is one post, copying, telling what happened. */

const BUSY_MESSAGE = 'Working on it'
const announcements = document.getElementById('announcements')

function announce(text) {
  if (announcements) announcements.textContent = text
}

/* A form is posted once. The button stays in place, since its name and value are part of what is posted. */
document.addEventListener('submit', event => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post') return
  if (form.dataset.posted !== undefined) {
    event.preventDefault()
    return
  }
  form.dataset.posted = ''
  const button = event.submitter ?? form.querySelector('button')
  button?.setAttribute('aria-disabled', 'true')
  button?.setAttribute('data-busy', '')
  announce(BUSY_MESSAGE)
})

/* Back from the next page, by the back button: the form may be posted again. */
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-posted]')) {
    delete form.dataset.posted
    for (const button of form.querySelectorAll('[data-busy]')) {
      button.removeAttribute('data-busy')
      button.removeAttribute('aria-disabled')
    }
  }
  announce('')
})

/* A press elsewhere or Escape closes a menu. */
function closeMenus(except) {
  for (const menu of document.querySelectorAll('details[data-menu][open]')) if (menu !== except) menu.open = false
}
document.addEventListener('click', event => closeMenus(event.target.closest('details[data-menu]')))
document.addEventListener('keydown', event => {
  const menu = event.key === 'Escape' && document.querySelector('details[data-menu][open]')
  if (!menu) return
  menu.open = false
  menu.querySelector('summary').focus()
})

/* Copy buttons are of no use without script, and hidden until now. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const from = document.getElementById(button.dataset.copy)
    try {
      await navigator.clipboard.writeText(from.textContent)
      announce('Copied')
      button.dataset.copied = ''
      if (button.childElementCount === 0) button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(from)
      announce('Selected. Copy it with your keyboard.')
    }
  })
}

/* What is wrong with a form is where reading begins. */
document.querySelector('[data-problems]')?.focus()
