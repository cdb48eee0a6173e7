import { button, buttons } from '../../platform/web/components/button.ts'
import { checkbox, choices } from '../../platform/web/components/choice.ts'
import { confirmation } from '../../platform/web/components/confirm.ts'
import { selectField, textField } from '../../platform/web/components/field.ts'
import { form } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import type { Sample } from './samples.ts'

/** What asks for something. */
export function formSamples(csrf: string): Sample[] {
  return [
    { title: 'A form', body: goodForm(csrf) },
    { title: 'A form with mistakes', body: formWithMistakes(csrf) },
    { title: 'Choices', body: choiceSamples(csrf) },
    {
      title: 'A question before something is done',
      body: html`<div class="card">${confirmation({
        title: 'Cancel Table Planner Pro?',
        words: html`<p>You can use it until 12 April 2026. After that you are not charged again.</p>`,
        verb: 'Cancel the subscription',
        isDangerous: true,
        backHref: '/design',
        backText: 'Keep it',
        csrf,
      })}</div>`,
    },
  ]
}

function goodForm(csrf: string) {
  return form({
    csrf,
    body: html`${textField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email', value: 'ann@example.com' })}
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', hint: 'At least 12 characters.' })}
${textField({ name: 'note', label: 'Note', isOptional: true, maxlength: 200 })}
${textField({ name: 'fixed', label: 'Business', value: 'Corner Café', disabled: true })}
${textField({ name: 'code', label: 'Code', isCode: true, inputmode: 'numeric', autocomplete: 'one-time-code', hint: 'Six digits, from your authenticator app.' })}
${selectField({ name: 'role', label: 'Role', value: 'VIEWER', options: ROLES })}
${buttons(button('Save', { kind: 'primary' }), button('Save and add another'))}`,
  })
}

const ROLES = [
  { value: 'OWNER', text: 'Owner' },
  { value: 'MANAGER', text: 'Manager' },
  { value: 'VIEWER', text: 'Viewer' },
]

function formWithMistakes(csrf: string) {
  const problems = { name: 'Enter a name.', plan: 'Choose a plan.', terms: 'Agree before you go on.' }
  return form({
    csrf,
    problems,
    body: html`${textField({ name: 'name', label: 'Name', problem: problems.name })}
${choices({
  name: 'plan',
  legend: 'Plan',
  problem: problems.plan,
  options: [
    { value: 'a', text: 'Basic', detail: 'Free' },
    { value: 'b', text: 'Pro', detail: '$5.00 per month, per business' },
  ],
})}
${checkbox({ name: 'terms', text: 'I agree that the first payment is taken today', problem: problems.terms })}
${buttons(button('Subscribe', { kind: 'primary' }))}`,
  })
}

function choiceSamples(csrf: string) {
  return form({
    csrf,
    body: html`${choices({
      name: 'method',
      legend: 'Pay with',
      hint: 'It becomes what all your subscriptions are paid with.',
      value: 'visa',
      options: [
        { value: 'visa', text: 'Visa ending in 4242', detail: 'Expires 4/2029' },
        { value: 'new', text: 'Another card' },
      ],
    })}
${choices({
  name: 'rights',
  legend: 'What the app may do',
  many: true,
  value: ['READ'],
  options: [
    { value: 'READ', text: 'See what you are subscribed to' },
    { value: 'SUBSCRIBE', text: 'Subscribe for you', detail: 'It can change what you pay without asking you again.' },
  ],
})}`,
  })
}
