/*
 * A new release, with script: entries survive the end of a session, prices are added and removed in place, and the plan is shown as a
 * terminal shows it while it is entered. Without script each of these is a press that loads the page.
 */

/** Fields of a form as pairs; files stay where they are. */
function entriesOf(form) {
  return [...new FormData(form)].filter(([name, value]) => name !== 'csrf' && typeof value === 'string')
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
      if (event.target.closest('a')) sessionStorage.removeItem(key)
    })
  }

  restore(form, entries) {
    const rows = this.querySelector('price-rows')
    rows?.resize(entries.filter(([name]) => name === 'price').length)
    const next = new Map()
    for (const [name, value] of entries) {
      const fields = [...form.querySelectorAll(`[name="${CSS.escape(name)}"]:not([type=hidden], button)`)]
      const position = next.get(name) ?? 0
      next.set(name, position + 1)
      const field =
        fields.length > 1 && fields[0].type === 'radio' ? fields.find(one => one.value === value) : fields[position]
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
      const button = event.target.closest('button[name=do]')
      if (!button) return
      event.preventDefault()
      if (button.value === 'row')
        this.resize(this.rows.length + 1)
          ?.querySelector('input')
          .focus()
      else if (this.rows.length > 1) this.drop(button.closest('.price-row'))
      this.dispatchEvent(new Event('input', { bubbles: true }))
    })
  }

  get rows() {
    return [...this.querySelectorAll('.price-row')]
  }

  drop(row) {
    const focus = row.previousElementSibling ?? row.nextElementSibling
    row.replaceWith()
    focus.querySelector('input').focus()
    this.number()
  }

  /** The last row. */
  resize(count) {
    while (this.rows.length < count) {
      const row = this.rows.at(-1).cloneNode(true)
      for (const field of row.querySelectorAll('input')) if (field.name !== 'currency') field.value = ''
      for (const problem of row.querySelectorAll('.problem')) problem.remove()
      for (const field of row.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
      this.rows.at(-1).after(row)
    }
    this.number()
    return this.rows.at(-1)
  }

  number() {
    for (const [i, row] of this.rows.entries()) {
      for (const field of row.querySelectorAll('input')) {
        field.id = `${field.name}-${i}`
        field.parentElement.querySelector('label').htmlFor = field.id
      }
      const button = row.querySelector('button')
      button.value = `remove-${i}`
      button.querySelector('.unseen').textContent = ` price ${i + 1}`
    }
  }
}

/** The plan as the service shows it on a terminal, asked for again when an entry changes. */
class PlanCard extends HTMLElement {
  connectedCallback() {
    const form = document.getElementById(this.dataset.form)
    form?.addEventListener('input', () => {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.show(form), 250)
    })
  }

  disconnectedCallback() {
    clearTimeout(this.timer)
  }

  async show(form) {
    const body = new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === 'string'))
    try {
      const answer = await fetch(this.dataset.from, { method: 'POST', body })
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
