import { actButton, element, noticeOf, onSubmit, show, showProblem, whileBusy } from './screen.js'
import { dayWords, priceWords, trialWords } from './words.js'

/** The screen of a terminal without a valid key. `notice` explains why. */
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

/** Asked once more, since a new code is needed afterwards. */
export function setUpAgainScreen({ onForget, onKeep }) {
  const screen = show('set-up-again')
  screen.querySelector('[data-act="forget"]').addEventListener('click', onForget)
  screen.querySelector('[data-act="keep"]').addEventListener('click', onKeep)
}

/** The merchant grants an app the permissions that its manifest declares. */
export function approvalScreen({ billing, packageName, permissions, onDone }) {
  const screen = show('approval', { focus: 'h2' })
  screen.querySelector('[data-package]').textContent = packageName
  screen.querySelector('[data-permissions]').append(...permissions.map(name => element('li', { textContent: name })))
  const allow = screen.querySelector('[data-act="allow"]')
  allow.addEventListener('click', () =>
    whileBusy(allow, async () => {
      const { status, body } = await billing.approve(packageName, permissions)
      if (status === 200) return onDone()
      if (screen.isConnected) showProblem(screen, body.message, body.developerMessage)
    }),
  )
  screen.querySelector('[data-act="not-now"]').addEventListener('click', onDone)
}

const REMEMBERED = 'tillhook-apps'
/** As many as fit without scrolling. */
const MOST = 4

/** The terminal's home: recently opened apps and a field for another. `faceOf` fetches an app's details. */
export function homeScreen({ given, faceOf, onOpen }) {
  const screen = show('home')
  const known = rememberedApps()
  screen.querySelector('[data-apps]').append(...known.map(name => element('li', {}, appButton(name))))
  const form = screen.querySelector('form')
  if (given.packageName && !known.includes(given.packageName)) form.elements.packageName.value = given.packageName
  onSubmit(form, async ({ packageName }) => onOpen(packageName.trim()))

  function appButton(packageName) {
    const button = actButton('', { onPress: () => onOpen(packageName) })
    drawApp(button, { name: packageName })
    // The package name stands in for unknown details.
    faceOf(packageName).then(({ status, body }) => status === 200 && drawApp(button, body))
    return button
  }
}

function drawApp(button, { name, packageName, icon }) {
  const words = element('span', {}, element('span', { textContent: name }))
  if (packageName) words.append(element('span', { className: 'fine', textContent: packageName }))
  button.replaceChildren(pictureOf({ name, icon }), words)
}

/** The app's icon, or its first letter. */
function pictureOf({ name, icon }) {
  if (!icon) return element('span', { className: 'app-icon', textContent: name[0].toUpperCase(), ariaHidden: 'true' })
  const { pathname, search } = new URL(icon.url)
  return element('img', { className: 'app-icon', src: pathname + search, alt: '', width: 40, height: 40 })
}

/** Called once the service confirmed the app. */
function rememberApp(packageName) {
  const others = rememberedApps().filter(name => name !== packageName)
  localStorage.setItem(REMEMBERED, JSON.stringify([packageName, ...others].slice(0, MOST)))
}

function rememberedApps() {
  return JSON.parse(localStorage.getItem(REMEMBERED) ?? '[]')
}

/** The result of a purchase in the words of the interface. */
const OUTCOMES = {
  RESULT_OK: [
    'good',
    'RESULT_OK',
    'The subscribe request succeeded. getSubscriptions, just asked again, tells what there is now.',
  ],
  RESULT_CANCELED: ['warn', 'RESULT_CANCELED', 'The merchant left the purchase screen. Nothing was bought.'],
}

/**
 * An app as a developer would write it: lists what exists, offers plans, starts the purchase screen for a result. `result`: of the screen
 * that just ended.
 */
export function appScreen({ billing, journal, packageName, result, onPurchase }) {
  const screen = show('app', { focus: result ? '[data-outcome]' : 'h2' })
  let plans = []
  let subscriptions = []
  screen.querySelector('[data-package]').textContent = packageName
  if (result) {
    screen.querySelector('[data-outcome]').append(noticeOf(...OUTCOMES[result]))
    journal.receive(`onActivityResult → ${result}`, { resultCode: result })
  }

  function listener(operation, onList) {
    return (resultJson, error, requestId) => {
      const envelope = error ? null : JSON.parse(resultJson)
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

  /** Interface: the value of BUY_INTENT launches the billing screen; a bundle without it is a failure. */
  async function buy(extras) {
    const bundle = await billing.getBillingIntent(packageName, extras)
    const hasIntent = bundle.BUY_INTENT !== undefined
    journal.receive(`getBillingIntent → ${hasIntent ? 'BUY_INTENT' : 'no BUY_INTENT'}`, { extras, ...shownOf(bundle) })
    if (!screen.isConnected) return
    if (hasIntent) return onPurchase(bundle.BUY_INTENT)
    showProblem(screen, bundle.ERROR.message, `The bundle has no BUY_INTENT. ${bundle.ERROR.developerMessage}`)
    screen.querySelector('[data-problem]').scrollIntoView({ block: 'nearest' })
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

  function fill(name, list, none, cardOf) {
    const empty = screen.querySelector(`[data-${name}-none]`)
    empty.textContent = none
    empty.hidden = list.length > 0
    screen.querySelector(`[data-${name}]`).replaceChildren(...list.map(cardOf))
  }

  screen.querySelector('[data-act="get-subscriptions"]').addEventListener('click', getSubscriptions)
  screen.querySelector('[data-act="get-plans"]').addEventListener('click', getPlans)
  onSubmit(screen.querySelector('[data-by-hand]'), extras => buy(extrasOf(extras)))
  return Promise.all([getSubscriptions(), getPlans()])
}

/** The secret in the screen's address is for the screen alone. */
function shownOf({ BUY_INTENT, ...reason }) {
  return { bundle: BUY_INTENT ? { BUY_INTENT: `PendingIntent (purchase ${BUY_INTENT.purchaseId})` } : reason }
}

/** As typed: an empty box is no extra. */
function extrasOf({ plan_id, replace, restore, subscription_id }) {
  return {
    ...(plan_id && { plan_id: plan_id.trim() }),
    ...(replace && { replace: true }),
    ...(restore && { restore: true }),
    ...(subscription_id && { subscription_id: subscription_id.trim() }),
  }
}

/** What the merchant has. `plan` is missing where the list of plans has it no more, or not yet. */
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

/** A plan on sale. A subscribed plan can be requested as well, to see the rejection. */
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

function card(title, words, buttons, more) {
  const item = element('li', { className: 'app-card' })
  item.append(element('h4', { textContent: title }), element('p', { textContent: words }))
  if (more) item.append(element('p', { className: 'fine', textContent: more }))
  if (buttons.length > 0) item.append(element('div', { className: 'buttons' }, ...buttons))
  return item
}

function press(text, { work, ...look }) {
  const button = actButton(text, { ...look, onPress: () => whileBusy(button, work) })
  button.classList.add('small')
  return button
}

/**
 * The purchase screen above the app. It ends when the merchant goes back or cancels; `onResult` gets the result of the interface. The
 * terminal always asks the service for the state of the purchase.
 */
export function purchaseScreen({ billing, idle, intent, onResult }) {
  const screen = show('purchase')
  const frame = screen.querySelector('[data-frame]')
  let hasEnded = false

  function end(status) {
    if (hasEnded) return
    hasEnded = true
    frame.remove()
    onResult(status === 'COMPLETED' ? 'RESULT_OK' : 'RESULT_CANCELED')
  }

  async function look() {
    // Null: of another address than ours, a bank's for example.
    if (frame.contentDocument !== null) idle.watch(frame.contentWindow)
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
