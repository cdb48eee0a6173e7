import { show } from '../screen.js'

/** Asked once more, since a new code is needed afterwards. */
export function setUpAgainScreen({ onForget, onKeep }) {
  const screen = show('set-up-again')
  screen.querySelector('[data-act="forget"]').addEventListener('click', onForget)
  screen.querySelector('[data-act="keep"]').addEventListener('click', onKeep)
}
