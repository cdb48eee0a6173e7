/* The interface's on-terminal service, as an app meets it: `IServiceInAppBillingService`, and what its activity gives back. */

/** Extras of getBillingIntent, and their names in the call. Interface; decisions 9, Purchase extras. */
const EXTRAS = { plan_id: 'planId', replace: 'replace', restore: 'restore', subscription_id: 'subscriptionId' }

export function createBilling({ terminal }) {
  const pathOf = (packageName, what) => `/terminal/apps/${encodeURIComponent(packageName)}/${what}`

  async function list(packageName, what, requestId, onResponse) {
    const { status, body } = await terminal.ask('GET', pathOf(packageName, what), { requestId })
    // Interface, Errors 3: an error and no result, or a result and no error.
    if (status === 200) onResponse(JSON.stringify(body), null, requestId)
    else onResponse(null, body, requestId)
  }

  return {
    getSubscriptions: (packageName, requestId, onResponse) => list(packageName, 'subscriptions', requestId, onResponse),
    getPlans: (packageName, requestId, onResponse) => list(packageName, 'plans', requestId, onResponse),

    /** A bundle. Interface, Errors 4: without BUY_INTENT there is no purchase screen; `error` says why. */
    async getBillingIntent(packageName, extras) {
      const body = Object.fromEntries(Object.entries(extras).map(([name, value]) => [EXTRAS[name], value]))
      const { status, body: answer } = await terminal.ask('POST', pathOf(packageName, 'purchases'), { body })
      return status === 201 ? { BUY_INTENT: { purchaseId: answer.purchaseId, url: answer.url } } : { error: answer }
    },

    /** The result of a purchase: COMPLETED, CANCELLED, EXPIRED; OPEN also if it is unknown. */
    async statusOf({ purchaseId }) {
      const { status, body } = await terminal.ask('GET', `/terminal/purchases/${purchaseId}`)
      return status === 200 ? body.status : 'OPEN'
    },

    /** The merchant leaves the screen. A purchase completed in that moment stays, which statusOf reports. */
    async leave({ purchaseId }, as) {
      await terminal.ask('DELETE', `/terminal/purchases/${purchaseId}`, as && { as })
    },
  }
}
