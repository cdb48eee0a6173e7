import { noticeOf, onSubmit, show, showProblem } from '../screen.js'
import { planCard, subscriptionCard } from './app-cards.js'
import { rememberApp } from './home.js'

/** What became of a purchase, in the words of the interface. */
const OUTCOMES = {
  RESULT_OK: [
    'good',
    'RESULT_OK',
    'The subscribe request succeeded. getSubscriptions, just asked again, tells what there is now.',
  ],
  RESULT_CANCELED: ['warn', 'RESULT_CANCELED', 'The merchant left the purchase screen. Nothing was bought.'],
}

/**
 * An app as its developer would write it: it asks what there is, offers what it sells, and starts the purchase screen for a
 * result. `result`: the screen has just ended.
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
      journal.receive(`${operation} → ${what}`, { resultJson: envelope, error, requestId })
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
    showProblem(screen, bundle.error.message, `The bundle has no BUY_INTENT. ${bundle.error.developerMessage}`)
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
function shownOf({ BUY_INTENT, error }) {
  return {
    bundle: BUY_INTENT ? { BUY_INTENT: `PendingIntent (purchase ${BUY_INTENT.purchaseId})` } : {},
    ...(error && { error }),
  }
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
