/* The order of the screens. */
import { createBilling } from './billing.js'
import { createCalls } from './calls.js'
import { createIdleWatch } from './idle.js'
import { createJournal } from './journal.js'
import { part, show } from './screen.js'
import {
  activationScreen,
  approvalScreen,
  appScreen,
  homeScreen,
  purchaseScreen,
  setUpAgainScreen,
  signInScreen,
} from './screens.js'
import { createTerminal } from './terminal.js'

/**
 * @typedef {import('./screens.js').Notice} Notice
 * @typedef {import('./terminal.js').Session} Session
 */

const page = part(document, '[data-simulator]')
const lock = part(page, '[data-act="lock"]')
const backBar = part(page, '[data-back-bar]')
const given = takeFromAddress()

const journal = createJournal(page)
const calls = createCalls({ note: journal.call })
const audience = page.dataset.audience ?? ''
const terminal = createTerminal({ calls, audience, onRevoked: revoked, onSignedOut: timedOut })
const billing = createBilling({ terminal })
const idle = createIdleWatch({ onIdle: lockAfterIdling })
idle.watch(page)

/** The action of the Back button, if any. @type {(() => void) | undefined} */
let goBack
/** Cleanup when the terminal locks: an open purchase is left. @type {((as: Session) => Promise<void>) | undefined} */
let leave

lock.addEventListener('click', () => leaveAndSignOut())
backBar.addEventListener('click', () => goBack?.())

if (crypto.subtle === undefined) show('cannot-run')
else if (await terminal.wake()) signIn()
else activate()

/** @param {Notice} [notice] */
function activate(notice) {
  idle.stop()
  frame({})
  activationScreen({ terminal, given, notice, onActivated: () => signIn() })
}

/** @param {Notice} [notice] */
function signIn(notice) {
  idle.stop()
  frame({})
  signInScreen({ terminal, given, notice, onSignedIn: home, onSetUpAgain: setUpAgain })
}

function setUpAgain() {
  frame({ back: () => signIn() })
  setUpAgainScreen({
    onKeep: () => signIn(),
    onForget: async () => {
      await terminal.forget()
      activate()
    },
  })
}

function home() {
  idle.start()
  frame({})
  /** @param {string} packageName */
  const faceOf = packageName => terminal.ask('GET', `/terminal/apps/${encodeURIComponent(packageName)}`)
  homeScreen({ given, faceOf, onOpen: install })
}

/** A terminal installs the app first, and asks the merchant for its permissions. @param {string} packageName */
async function install(packageName) {
  const permissions = await billing.install(packageName)
  // Locked meanwhile.
  if (terminal.user === undefined) return
  if (permissions.length === 0) return app(packageName)
  frame({ back: home })
  approvalScreen({ billing, packageName, permissions, onDone: () => app(packageName) })
}

/** @param {string} packageName @param {import('./screens.js').Result} [result] */
function app(packageName, result) {
  frame({ back: home })
  /** @param {import('./billing.js').Intent} intent */
  const onPurchase = intent => purchase(packageName, intent)
  appScreen({ billing, journal, packageName, result, onPurchase })
}

/** @param {string} packageName @param {import('./billing.js').Intent} intent */
function purchase(packageName, intent) {
  const { back } = purchaseScreen({ billing, idle, intent, onResult: result => app(packageName, result) })
  frame({ back, leave: as => billing.leave(intent, as) })
}

/** @param {Notice} [notice] */
function leaveAndSignOut(notice) {
  const isOut = terminal.signOut(leave)
  signIn(notice)
  return isOut
}

function lockAfterIdling() {
  leaveAndSignOut({ title: 'Locked', words: 'Nobody has touched this terminal for 15 minutes. Sign in again.' })
}

/** The service ended the session first: access lost, or idle by its own clock. */
function timedOut() {
  signIn({
    title: 'Please sign in again',
    words: 'The session is over: after 15 idle minutes, or because somebody ended it.',
  })
}

/** @param {import('./calls.js').Answer} answer */
function revoked({ body }) {
  const words = `It was activated again elsewhere, or taken out of use. Type a new activation code. (${body.developerMessage})`
  activate({ title: 'This terminal is not activated any more', words })
}

/**
 * The frame of the display: the terminal's name, the signed-in user and the Back button.
 * @param {{ back?: () => void, leave?: (as: Session) => Promise<void> }} actions
 */
function frame({ back, leave: leaving }) {
  goBack = back
  leave = leaving
  backBar.hidden = back === undefined
  lock.hidden = terminal.user === undefined
  part(page, '[data-terminal-name]').textContent = terminal.name ?? 'New terminal'
  part(page, '[data-who]').textContent = terminal.user?.name ?? ''
}

/**
 * Reads the fragment of a link, which no server receives, and removes the fragment from the address bar.
 * @returns {import('./screens.js').Given}
 */
function takeFromAddress() {
  const taken = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  if (location.hash) history.replaceState(null, '', location.pathname)
  return taken
}
