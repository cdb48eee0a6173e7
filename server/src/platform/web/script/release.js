/*
 * A new release, with script: entries survive the end of a session, prices are added and removed in place, and the plan is shown as a
 * terminal shows it while it is entered. Without script each of these is a press that loads the page.
 */

/** Fields of a form as pairs; files stay where they are. @param {HTMLFormElement} form */
function entriesOf(form) {
  return textsOf(form).filter(([name]) => name !== 'csrf')
}

/** @param {HTMLFormElement} form @returns {[string, string][]} */
function textsOf(form) {
  return [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}

/** The closest ancestor of an event's element. @param {Event} event @param {string} selector */
function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null
}

/** Keeps the entries of its form until they are saved: the key names the revision of the draft. */
class KeptForm extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector('form')
    if (!form) return
    const key = `kept ${this.dataset.key}`
    const before = sessionStorage.getItem(key)
    if (before !== null && !form.querySelector('[data-problems]')) this.restore(form, JSON.parse(before))
    form.addEventListener('input', () => sessionStorage.setItem(key, JSON.stringify(entriesOf(form))))
    this.addEventListener('click', event => {
      if (closest(event, 'a')) sessionStorage.removeItem(key)
    })
  }

  /** @param {HTMLFormElement} form @param {[string, string][]} entries */
  restore(form, entries) {
    const rows = this.querySelector('price-rows')
    if (rows instanceof PriceRows) rows.resize(entries.filter(([name]) => name === 'price').length)
    /** @type {Map<string, number>} */
    const next = new Map()
    for (const [name, value] of entries) {
      /** @type {HTMLInputElement[]} */
      const fields = Array.from(form.querySelectorAll(`[name="${CSS.escape(name)}"]:not([type=hidden], button)`))
      const position = next.get(name) ?? 0
      next.set(name, position + 1)
      const field =
        fields.length > 1 && fields[0]?.type === 'radio' ? fields.find(one => one.value === value) : fields[position]
      if (!field) continue
      if (field.type === 'radio' || field.type === 'checkbox') field.checked = true
      else field.value = value
    }
    form.dispatchEvent(new Event('input'))
  }
}

/** Rows of country, currency and price. */
class PriceRows extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', event => {
      const button = closest(event, 'button[name=do]')
      if (!(button instanceof HTMLButtonElement)) return
      event.preventDefault()
      if (button.value === 'row')
        this.resize(this.rows.length + 1)
          .querySelector('input')
          ?.focus()
      else if (this.rows.length > 1) this.drop(/** @type {HTMLElement} */ (button.closest('.price-row')))
      this.dispatchEvent(new Event('input', { bubbles: true }))
    })
  }

  /** @returns {HTMLElement[]} */
  get rows() {
    return Array.from(this.querySelectorAll('.price-row'))
  }

  /** @param {HTMLElement} row */
  drop(row) {
    const focus = row.previousElementSibling ?? row.nextElementSibling
    row.replaceWith()
    focus?.querySelector('input')?.focus()
    this.number()
  }

  /** Gives the last row. There is at least one. @param {number} count */
  resize(count) {
    while (this.rows.length < count) {
      const row = /** @type {HTMLElement} */ (this.last.cloneNode(true))
      for (const field of row.querySelectorAll('input')) if (field.name !== 'currency') field.value = ''
      for (const problem of row.querySelectorAll('.problem')) problem.remove()
      for (const field of row.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
      this.last.after(row)
    }
    this.number()
    return this.last
  }

  get last() {
    return /** @type {HTMLElement} */ (this.rows.at(-1))
  }

  number() {
    for (const [i, row] of this.rows.entries()) {
      row.setAttribute('aria-label', `Price ${i + 1}`)
      for (const field of row.querySelectorAll('input')) {
        field.id = `${field.name}-${i}`
        const label = field.parentElement?.querySelector('label')
        if (label) label.htmlFor = field.id
      }
      const button = row.querySelector('button')
      if (!button) continue
      button.value = `remove-${i}`
      const unseen = button.querySelector('.unseen')
      if (unseen) unseen.textContent = ` price ${i + 1}`
    }
  }
}

/** The plan as the service shows it on a terminal, asked for again when an entry changes. */
class PlanCard extends HTMLElement {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer

  connectedCallback() {
    const form = document.getElementById(this.dataset.form ?? '')
    if (!(form instanceof HTMLFormElement)) return
    form.addEventListener('input', () => {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.show(form), 250)
    })
  }

  disconnectedCallback() {
    clearTimeout(this.timer)
  }

  /** @param {HTMLFormElement} form */
  async show(form) {
    const body = new URLSearchParams(textsOf(form))
    try {
      const answer = await fetch(this.dataset.from ?? '', { method: 'POST', body })
      if (!answer.ok || answer.redirected) return
      const card = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.till-card')
      if (card) this.replaceChildren(card)
    } catch {
      // The card shows what it last knew.
    }
  }
}

customElements.define('price-rows', PriceRows)
customElements.define('kept-form', KeptForm)
customElements.define('plan-card', PlanCard)
