import { onSubmit, show, showProblem } from '../screen.js'

/** A terminal that the service does not know, or knows no more: `notice` says so. */
export function activationScreen({ terminal, given, notice, onActivated }) {
  const screen = show('activation', { focus: 'h2' })
  const form = screen.querySelector('form')
  if (given.activationCode) form.elements.activationCode.value = given.activationCode
  if (notice) showProblem(screen, notice.title, notice.words)
  onSubmit(form, async ({ activationCode }) => {
    const { status, body } = await terminal.activate(activationCode)
    if (status === 201) return onActivated()
    showProblem(screen, body.message, status === 0 ? '' : body.developerMessage)
    form.elements.activationCode.focus()
  })
}
