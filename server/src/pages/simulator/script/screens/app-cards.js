import { actButton, element, whileBusy } from '../screen.js'
import { dayWords, priceWords, trialWords } from '../words.js'

/** What the merchant has. `plan` is missing where the list of plans has it no more, or not yet. */
export function subscriptionCard(subscription, { plan, buy }) {
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

/** What the app sells. One that is held already can be asked for all the same, to see what the service says. */
export function planCard(plan, { isHeld, canReplace, buy }) {
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
