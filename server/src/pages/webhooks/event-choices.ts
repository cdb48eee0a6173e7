import { EVENT_TYPES, type EventType, ORDER_EVENT_TYPES } from '../../core/event.ts'
import { EVENT_MEANINGS } from '../../core/event-meanings.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { type Html, html } from '../../platform/web/html.ts'

interface Group {
  readonly name: string
  readonly types: readonly EventType[]
}

const isAboutMoney = (type: EventType) => /_(PAYMENT|REFUND|DISPUTE)_/.test(type)
const isOfOrder = (type: EventType) => ORDER_EVENT_TYPES.some(one => one === type)

/** All event types by what they are about. */
export const EVENT_GROUPS: readonly Group[] = [
  { name: 'Subscriptions', types: EVENT_TYPES.filter(type => !isAboutMoney(type) && !isOfOrder(type)) },
  { name: 'Payments', types: EVENT_TYPES.filter(isAboutMoney) },
  { name: 'Orders', types: EVENT_TYPES.filter(isOfOrder) },
]

/** A sentence about an event type, without the part for readers of the body. */
export function meaningOf(type: EventType): string {
  return EVENT_MEANINGS[type].replace(/ The second link leads to the invoice\.$/, '')
}

/** Check boxes of all event types by group, each with a sentence. */
export function eventChoices(chosen: readonly string[], problem: string | undefined): Html {
  return html`<fieldset ${{ class: 'field choices', id: 'eventTypes', 'aria-describedby': problem && 'eventTypes-problem' }}>
<legend class="label">Events</legend>
${problem && html`<p class="problem" id="eventTypes-problem"><span class="unseen">Problem: </span>${problem}</p>`}
${EVENT_GROUPS.map(
  ({ name, types }) => html`<h2 class="fine">${name}</h2>
${types.map(
  type =>
    html`<label class="choice"><input ${{ type: 'checkbox', name: 'eventTypes', value: type, checked: chosen.includes(type) }}><span><code>${breakable(type)}</code></span><small>${meaningOf(type)}</small></label>`,
)}`,
)}
</fieldset>`
}
