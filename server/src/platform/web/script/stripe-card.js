/* The one page that takes a card: Stripe's element, and what it gives back put into our form. */
const place = document.querySelector('[data-card]')
const form = place.querySelector('form')
const problem = place.querySelector('[data-card-problem]')
const token = form.elements.namedItem('token')

const stripe = window.Stripe(place.dataset.key)
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
  const button = form.querySelector('button')
  button.disabled = true
  problem.textContent = ''
  const { error, setupIntent } = await stripe.confirmCardSetup(place.dataset.secret, { payment_method: { card } })
  button.disabled = false
  if (error) {
    problem.textContent = error.message
    return
  }
  token.value = setupIntent.id
  form.requestSubmit()
})
