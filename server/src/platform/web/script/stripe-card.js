/* The one page that takes a card: Shows Stripe's element, and puts its result into our form. */

/** @typedef {{ message: string }} StripeError */
/** @typedef {{ mount(place: Element | null): void, on(event: 'change', work: (change: { error?: StripeError }) => void): void }} CardElement */
/**
 * @typedef {object} Stripe
 * @property {() => { create(kind: 'card', options: object): CardElement }} elements
 * @property {(secret: string, options: object) => Promise<{ error?: StripeError, setupIntent?: { id: string } }>} confirmCardSetup
 */

/** @template T @param {T | null | undefined} found @returns {T} */
function present(found) {
  if (found === null || found === undefined) throw new Error('the page of the card lacks a part')
  return found
}

const place = present(/** @type {HTMLElement | null} */ (document.querySelector('[data-card]')))
const form = present(place.querySelector('form'))
const problem = present(place.querySelector('[data-card-problem]'))
const token = /** @type {HTMLInputElement} */ (present(form.elements.namedItem('token')))

const stripe = /** @type {{ Stripe(key: string | undefined): Stripe }} */ (/** @type {unknown} */ (window)).Stripe(
  place.dataset.key,
)
const elements = stripe.elements()
const ink = getComputedStyle(document.body).color
const card = elements.create('card', { style: { base: { color: ink, fontSize: '16px', iconColor: ink } } })
card.mount(place.querySelector('[data-card-element]'))
card.on('change', ({ error }) => {
  problem.textContent = error ? error.message : ''
})

/* Before the form is posted, Stripe saves the card; what is posted is only the name of what it saved. */
form.addEventListener('submit', async event => {
  if (token.value !== '') return
  event.preventDefault()
  const button = present(form.querySelector('button'))
  button.disabled = true
  problem.textContent = ''
  const { error, setupIntent } = await stripe.confirmCardSetup(place.dataset.secret ?? '', { payment_method: { card } })
  button.disabled = false
  if (error) {
    problem.textContent = error.message
    return
  }
  token.value = present(setupIntent).id
  form.requestSubmit()
})
