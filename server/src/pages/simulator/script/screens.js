import {
  actButton,
  element,
  fieldOf,
  formOf,
  noticeOf,
  onSubmit,
  part,
  show,
  showProblem,
  whileBusy,
} from './screen.js'
import { dayWords, priceWords, trialWords } from './words.js'

/**
 * @typedef {import('./billing.js').Billing} Billing
 * @typedef {import('./billing.js').Extras} Extras
 * @typedef {import('./billing.js').Intent} Intent
 * @typedef {import('./terminal.js').Terminal} Terminal
 * @typedef {import('./words.js').Plan} Plan
 * @typedef {{ title: string, words: string }} Notice
 * @typedef {{ activationCode?: string, userId?: string, packageName?: string }} Given the fields of a link to the simulator
 * @typedef {keyof typeof OUTCOMES} Result
 */

/**
 * A subscription of GET …/subscriptions. The interface defines the fields.
 * @typedef {object} Subscription
 * @property {string} subscriptionId
 * @property {string} planId
 * @property {'TRIAL' | 'ACTIVE'} phase
 * @property {string} [cancelAt]
 * @property {string} [nextChargeAt]
 * @property {string} [paymentStatus]
 */

/**
 * The screen of a terminal without a valid key. `notice` explains why.
 * @param {{ terminal: Terminal, given: Given, notice?: Notice, onActivated(): void }} options
 */
export function activationScreen({ terminal, given, notice, onActivated }) {
  const screen = show('activation')
  const form = formOf(screen)
  const code = fieldOf(form, 'activationCode')
  if (given.activationCode) code.value = given.activationCode
  if (notice) showProblem(screen, notice.title, notice.words)
  onSubmit(form, async ({ activationCode }) => {
    const { status, body } = await terminal.activate(activationCode)
    if (status === 201) return onActivated()
    showProblem(screen, body.message, status === 0 ? '' : body.developerMessage)
    code.focus()
  })
}

/**
 * No user is signed in. `notice` explains why a session ended.
 * @param {{ terminal: Terminal, given: Given, notice?: Notice, onSignedIn(): void, onSetUpAgain(): void }} options
 */
export function signInScreen({ terminal, given, notice, onSignedIn, onSetUpAgain }) {
  const screen = show('sign-in')
  const form = formOf(screen)
  const passcodeField = fieldOf(form, 'passcode')
  if (given.userId) fieldOf(form, 'userId').value = given.userId
  if (notice) part(screen, '[data-problem]').replaceChildren(noticeOf('warn', notice.title, notice.words))
  onSubmit(form, async ({ userId, passcode }) => {
    const { status, body } = await terminal.signIn(userId, passcode)
    if (status === 201) return onSignedIn()
    // The terminal has been revoked and shows another screen.
    if (!screen.isConnected) return
    passcodeField.value = ''
    showProblem(screen, body.message, status === 429 ? 'Wait a little before you try again.' : '')
    passcodeField.focus()
  })
  part(screen, '[data-act="set-up-again"]').addEventListener('click', onSetUpAgain)
}

/** A confirmation: the terminal needs a new activation code afterwards. @param {{ onForget(): void, onKeep(): void }} actions */
export function setUpAgainScreen({ onForget, onKeep }) {
  const screen = show('set-up-again')
  part(screen, '[data-act="forget"]').addEventListener('click', onForget)
  part(screen, '[data-act="keep"]').addEventListener('click', onKeep)
}

/**
 * The merchant grants an app the permissions that its manifest declares.
 * @param {{ billing: Billing, packageName: string, permissions: string[], onDone(): void }} options
 */
export function approvalScreen({ billing, packageName, permissions, onDone }) {
  const screen = show('approval')
  part(screen, '[data-package]').textContent = packageName
  part(screen, '[data-permissions]').append(...permissions.map(name => element('li', { textContent: name })))
  const allow = part(screen, '[data-act="allow"]')
  allow.addEventListener('click', () =>
    whileBusy(allow, async () => {
      const { status, body } = await billing.approve(packageName, permissions)
      if (status === 200) return onDone()
      if (screen.isConnected) showProblem(screen, body.message, body.developerMessage)
    }),
  )
  part(screen, '[data-act="not-now"]').addEventListener('click', onDone)
}

const REMEMBERED = 'tillhook-apps'
/** The number of apps that fit without scrolling. */
const MOST = 4

/**
 * The terminal's home: recently opened apps and a field for another. `faceOf` fetches an app's details.
 * @param {object} options
 * @param {Given} options.given
 * @param {(packageName: string) => ReturnType<Terminal['ask']>} options.faceOf
 * @param {(packageName: string) => void} options.onOpen
 */
export function homeScreen({ given, faceOf, onOpen }) {
  const screen = show('home')
  const known = rememberedApps()
  part(screen, '[data-apps]').append(...known.map(name => element('li', {}, appButton(name))))
  const form = formOf(screen)
  if (given.packageName && !known.includes(given.packageName)) fieldOf(form, 'packageName').value = given.packageName
  onSubmit(form, async ({ packageName }) => onOpen(packageName.trim()))

  /** @param {string} packageName */
  function appButton(packageName) {
    const button = actButton('', { onPress: () => onOpen(packageName) })
    drawApp(button, { name: packageName })
    // The package name stands in for unknown details.
    faceOf(packageName).then(({ status, body }) => status === 200 && drawApp(button, body))
    return button
  }
}

/** @typedef {{ name: string, packageName?: string, icon?: { url: string } }} AppFace */

/** @param {HTMLElement} button @param {AppFace} app */
function drawApp(button, { name, packageName, icon }) {
  const words = element('span', {}, element('span', { textContent: name }))
  if (packageName) words.append(element('span', { className: 'fine', textContent: packageName }))
  button.replaceChildren(pictureOf({ name, icon }), words)
}

/** The app's icon, or its first letter. @param {AppFace} app */
function pictureOf({ name, icon }) {
  if (!icon)
    return element('span', { className: 'app-icon', textContent: name.charAt(0).toUpperCase(), ariaHidden: 'true' })
  const { pathname, search } = new URL(icon.url)
  return element('img', { className: 'app-icon', src: pathname + search, alt: '', width: 40, height: 40 })
}

/** Called after the service confirmed the app. @param {string} packageName */
function rememberApp(packageName) {
  const others = rememberedApps().filter(name => name !== packageName)
  localStorage.setItem(REMEMBERED, JSON.stringify([packageName, ...others].slice(0, MOST)))
}

/** @returns {string[]} */
function rememberedApps() {
  return JSON.parse(localStorage.getItem(REMEMBERED) ?? '[]')
}

/**
 * The result of a purchase in the words of the interface.
 * @type {Record<'RESULT_OK' | 'RESULT_CANCELED', [kind: string, title: string, words: string]>}
 */
const OUTCOMES = {
  RESULT_OK: [
    'good',
    'RESULT_OK',
    'The subscribe request succeeded. getSubscriptions, just asked again, tells what there is now.',
  ],
  RESULT_CANCELED: ['warn', 'RESULT_CANCELED', 'The merchant left the purchase screen. Nothing was bought.'],
}

/**
 * An app as a developer would write it: lists the subscriptions, offers plans and starts the purchase screen. `result` is the result of
 * the last purchase screen.
 * @param {object} options
 * @param {Billing} options.billing
 * @param {import('./journal.js').Journal} options.journal
 * @param {string} options.packageName
 * @param {Result} [options.result]
 * @param {(intent: Intent) => void} options.onPurchase
 */
export function appScreen({ billing, journal, packageName, result, onPurchase }) {
  const screen = show('app', { focus: result ? '[data-outcome]' : 'h2' })
  /** @type {Plan[]} */
  let plans = []
  /** @type {Subscription[]} */
  let subscriptions = []
  part(screen, '[data-package]').textContent = packageName
  if (result) {
    part(screen, '[data-outcome]').append(noticeOf(...OUTCOMES[result]))
    journal.receive(`onActivityResult → ${result}`, { resultCode: result })
  }

  /**
   * @param {string} operation @param {(list: any[]) => void} onList
   * @returns {import('./billing.js').OnResponse}
   */
  function listener(operation, onList) {
    return (resultJson, error, requestId) => {
      const envelope = JSON.parse(resultJson ?? 'null')
      const what = error ? error.code : `${envelope.total} in the list`
      journal.receive(`${operation} → ${what}`, { resultJson, error, requestId })
      if (!screen.isConnected) return
      if (error) return showProblem(screen, error.message, `${operation}: ${error.developerMessage}`)
      rememberApp(packageName)
      showProblem(screen, '')
      onList(envelope.list)
    }
  }

  async function getSubscriptions() {
    const onResponse = listener('getSubscriptions', list => {
      subscriptions = list
      draw()
    })
    await billing.getSubscriptions(packageName, crypto.randomUUID(), onResponse)
  }

  async function getPlans() {
    const onResponse = listener('getPlans', list => {
      plans = list
      draw()
    })
    await billing.getPlans(packageName, crypto.randomUUID(), onResponse)
  }

  /** Interface: the value of BUY_INTENT launches the billing screen; a bundle without BUY_INTENT is a failure. @param {Extras} extras */
  async function buy(extras) {
    const bundle = await billing.getBillingIntent(packageName, extras)
    const intent = bundle.BUY_INTENT
    journal.receive(`getBillingIntent → ${intent ? 'BUY_INTENT' : 'no BUY_INTENT'}`, { extras, ...shownOf(bundle) })
    if (!screen.isConnected) return
    if (bundle.BUY_INTENT) return onPurchase(bundle.BUY_INTENT)
    showProblem(screen, bundle.ERROR.message, `The bundle has no BUY_INTENT. ${bundle.ERROR.developerMessage}`)
    part(screen, '[data-problem]').scrollIntoView({ block: 'nearest' })
  }

  function draw() {
    fill('subscriptions', subscriptions, 'None. Choose a plan below.', one =>
      subscriptionCard(one, { plan: plans.find(({ planId }) => planId === one.planId), buy }),
    )
    const hasAny = subscriptions.length > 0
    fill('plans', plans, 'This app sells no plan here.', plan => {
      const isHeld = subscriptions.some(({ planId }) => planId === plan.planId)
      return planCard(plan, { isHeld, canReplace: hasAny && !isHeld, buy })
    })
  }

  /**
   * @template T
   * @param {string} name @param {T[]} list @param {string} none @param {(item: T) => HTMLElement} cardOf
   */
  function fill(name, list, none, cardOf) {
    const empty = part(screen, `[data-${name}-none]`)
    empty.textContent = none
    empty.hidden = list.length > 0
    part(screen, `[data-${name}]`).replaceChildren(...list.map(item => cardOf(item)))
  }

  part(screen, '[data-act="get-subscriptions"]').addEventListener('click', getSubscriptions)
  part(screen, '[data-act="get-plans"]').addEventListener('click', getPlans)
  onSubmit(part(screen, '[data-by-hand]', HTMLFormElement), extras => buy(extrasOf(extras)))
  return Promise.all([getSubscriptions(), getPlans()])
}

/** The secret in the screen's address is for the screen alone. @param {import('./billing.js').Bundle} bundle */
function shownOf(bundle) {
  const { BUY_INTENT, ...reason } = bundle
  return { bundle: BUY_INTENT ? { BUY_INTENT: `PendingIntent (purchase ${BUY_INTENT.purchaseId})` } : reason }
}

/** Extras as typed: an empty box is no extra. @param {Record<string, string>} typed @returns {Extras} */
function extrasOf({ plan_id, replace, restore, subscription_id }) {
  return {
    ...(plan_id && { plan_id: plan_id.trim() }),
    ...(replace && { replace: true }),
    ...(restore && { restore: true }),
    ...(subscription_id && { subscription_id: subscription_id.trim() }),
  }
}

/**
 * A subscription of the merchant. `plan` is missing if the list of plans no longer or not yet contains the plan.
 * @param {Subscription} subscription @param {{ plan: Plan | undefined, buy(extras: Extras): Promise<void> }} options
 */
function subscriptionCard(subscription, { plan, buy }) {
  const { subscriptionId, phase, cancelAt, nextChargeAt, paymentStatus } = subscription
  const name = plan?.name ?? 'A plan that is sold no more'
  const words = [
    phase === 'TRIAL' ? 'Trial' : 'Active',
    ...(paymentStatus === 'PAST_DUE' ? ['payment overdue'] : []),
    ...(cancelAt ? [`ends on ${dayWords(cancelAt)}`] : []),
    ...(nextChargeAt ? [`next charge on ${dayWords(nextChargeAt)}`] : []),
  ]
  const restore = press('Restore', { about: name, work: () => buy({ restore: true, subscription_id: subscriptionId }) })
  return card(name, words.join(' · '), cancelAt ? [restore] : [])
}

/**
 * A plan on sale. A subscribed plan can be requested as well, to see the rejection.
 * @param {Plan} plan @param {{ isHeld: boolean, canReplace: boolean, buy(extras: Extras): Promise<void> }} options
 */
function planCard(plan, { isHeld, canReplace, buy }) {
  const { name, description, planId } = plan
  const words = [priceWords(plan), trialWords(plan)].filter(Boolean).join(' · ')
  const subscribe = press(isHeld ? 'Subscribe again' : 'Subscribe', {
    ...{ about: `to ${name}`, kind: isHeld || canReplace ? 'plain' : 'primary' },
    work: () => buy({ plan_id: planId }),
  })
  const replace = press('Change to this', {
    ...{ about: name, kind: 'primary' },
    work: () => buy({ plan_id: planId, replace: true }),
  })
  return card(name, words, canReplace ? [replace, subscribe] : [subscribe], description)
}

/** @param {string} title @param {string} words @param {HTMLElement[]} buttons @param {string} [more] */
function card(title, words, buttons, more) {
  const item = element('li', { className: 'app-card' })
  item.append(element('h4', { textContent: title }), element('p', { textContent: words }))
  if (more) item.append(element('p', { className: 'fine', textContent: more }))
  if (buttons.length > 0) item.append(element('div', { className: 'buttons' }, ...buttons))
  return item
}

/** @param {string} text @param {import('./screen.js').Look & { work(): Promise<void> }} options */
function press(text, { work, ...look }) {
  const button = actButton(text, { ...look, onPress: () => whileBusy(button, work) })
  button.classList.add('small')
  return button
}

/**
 * The purchase screen above the app. It ends when the merchant goes back or cancels; `onResult` gets the result of the interface. The
 * terminal always asks the service for the state of the purchase.
 * @param {object} options
 * @param {Billing} options.billing
 * @param {import('./idle.js').IdleWatch} options.idle
 * @param {Intent} options.intent
 * @param {(result: Result) => void} options.onResult
 */
export function purchaseScreen({ billing, idle, intent, onResult }) {
  const screen = show('purchase')
  const frame = part(screen, '[data-frame]', HTMLIFrameElement)
  let hasEnded = false

  /** @param {string} status */
  function end(status) {
    if (hasEnded) return
    hasEnded = true
    frame.remove()
    onResult(status === 'COMPLETED' ? 'RESULT_OK' : 'RESULT_CANCELED')
  }

  async function look() {
    // Null: the frame shows another origin, for example a bank's page.
    if (frame.contentDocument !== null && frame.contentWindow !== null) idle.watch(frame.contentWindow)
    const status = await billing.statusOf(intent)
    // COMPLETED and EXPIRED stay visible until the merchant has read them; CANCELLED needs no reading.
    if (status === 'CANCELLED' && screen.isConnected) end(status)
  }

  /** Asks again after leaving: a purchase completed in that moment stays. */
  async function back() {
    const status = await billing.statusOf(intent)
    if (status !== 'OPEN') return end(status)
    await billing.leave(intent)
    end(await billing.statusOf(intent))
  }

  frame.addEventListener('load', look)
  // The service may have several names (localhost, 127.0.0.1); the screen loads from this page's origin.
  const { pathname, search } = new URL(intent.url)
  frame.src = `${pathname}${search}`
  return { back }
}
