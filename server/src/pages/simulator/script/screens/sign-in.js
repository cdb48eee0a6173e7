import { noticeOf, onSubmit, show, showProblem } from '../screen.js'

/** Nobody is signed in. `notice`: why not any more. */
export function signInScreen({ terminal, given, notice, onSignedIn, onSetUpAgain }) {
  const screen = show('sign-in')
  const form = screen.querySelector('form')
  if (given.userId) form.elements.userId.value = given.userId
  if (notice) screen.querySelector('[data-problem]').replaceChildren(noticeOf('warn', notice.title, notice.words))
  onSubmit(form, async ({ userId, passcode }) => {
    const { status, body } = await terminal.signIn(userId, passcode)
    if (status === 201) return onSignedIn()
    // Revoked meanwhile: another screen stands there.
    if (!screen.isConnected) return
    form.elements.passcode.value = ''
    showProblem(screen, body.message, status === 429 ? 'Wait a little before you try again.' : '')
    form.elements.passcode.focus()
  })
  screen.querySelector('[data-act="set-up-again"]').addEventListener('click', onSetUpAgain)
}
