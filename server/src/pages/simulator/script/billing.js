/* The interface's on-terminal service as an app meets it: `IServiceInAppBillingService`, and the result of its activity. The shapes are those
of contract/terminal/billing.json. */

/** Extras of getBillingIntent, and their names in the call. Interface; decisions 9, Purchase extras. */
const EXTRAS = { plan_id: 'planId', replace: 'replace', restore: 'restore', subscription_id: 'subscriptionId' }

/** Reported for an app whose releases have no APK. */
const WITHOUT_APK = { versionCode: 1, signerSha256: '0'.repeat(64), permissions: [] }

/**
 * The fields of the parcelable ServiceError.
 * @typedef {{ code: string, message: string, developerMessage: string, requestId: string }} ServiceError
 * @param {ServiceError} body
 */
function serviceError({ code, message, developerMessage, requestId }) {
  return { code, message, developerMessage, requestId }
}

/** No connection, an overloaded service or an unavailable one. Everything else is the service's answer. @param {number} status */
const isOutage = status => status === 0 || status === 429 || status >= 500

/**
 * @typedef {import('./terminal.js').Terminal} Terminal
 * @typedef {import('./terminal.js').Session} Session
 * @typedef {(resultJson: string | null, error: ServiceError | null, requestId: string) => void} OnResponse
 * @typedef {{ purchaseId: string, url: string }} Intent
 * @typedef {{ plan_id?: string, replace?: boolean, restore?: boolean, subscription_id?: string }} Extras
 * @typedef {{ BUY_INTENT: Intent } | { BUY_INTENT?: undefined, RESPONSE_CODE: string, ERROR: ServiceError }} Bundle
 * @typedef {ReturnType<typeof createBilling>} Billing
 */

/** @param {{ terminal: Pick<Terminal, 'ask'> }} ports */
export function createBilling({ terminal }) {
  /**
   * The last list of subscriptions of each package: an app keeps working through an outage.
   * @type {Map<string, { body: object, at: Date }>}
   */
  const cached = new Map()
  /** @param {string} packageName @param {string} what */
  const pathOf = (packageName, what) => `/terminal/apps/${encodeURIComponent(packageName)}/${what}`

  /** @param {string} packageName @param {'subscriptions' | 'plans'} what @param {string} requestId @param {OnResponse} onResponse */
  async function list(packageName, what, requestId, onResponse) {
    const { status, body } = await terminal.ask('GET', pathOf(packageName, what), { requestId })
    if (what === 'subscriptions') {
      if (status === 200) cached.set(packageName, { body, at: new Date() })
      else if (!isOutage(status)) cached.delete(packageName)
      const last = cached.get(packageName)
      if (status !== 200 && last !== undefined) {
        const staleSince = `${last.at.toISOString().slice(0, 19)}Z`
        return onResponse(JSON.stringify({ ...last.body, stale: true, staleSince }), null, requestId)
      }
    }
    // Interface, Errors 3: an error and no result, or a result and no error.
    if (status === 200) onResponse(JSON.stringify(body), null, requestId)
    else onResponse(null, serviceError(body), requestId)
  }

  return {
    /**
     * Reports the newest approved release of the app, as a terminal's package manager does at install. Returns the permissions that the
     * merchant still has to approve.
     * @param {string} packageName
     * @returns {Promise<string[]>}
     */
    async install(packageName) {
      const path = `/terminal/apps/${encodeURIComponent(packageName)}`
      const { status, body: app } = await terminal.ask('GET', path)
      if (status !== 200) return []
      const { signerSha256, permissions, versionCode } = app.approvedApk ?? WITHOUT_APK
      const body = { version: String(versionCode), signerSha256, permissions }
      const { body: installed } = await terminal.ask('PUT', path, { body })
      return installed.permissionsToApprove ?? []
    },

    /** The signed-in user approves permissions for the merchant. @param {string} packageName @param {string[]} permissions */
    approve: (packageName, permissions) =>
      terminal.ask('POST', pathOf(packageName, 'approval'), { body: { permissions } }),

    /** @param {string} packageName @param {string} requestId @param {OnResponse} onResponse */
    getSubscriptions: (packageName, requestId, onResponse) => list(packageName, 'subscriptions', requestId, onResponse),
    /** @param {string} packageName @param {string} requestId @param {OnResponse} onResponse */
    getPlans: (packageName, requestId, onResponse) => list(packageName, 'plans', requestId, onResponse),

    /**
     * A bundle. Interface, Errors 4: without BUY_INTENT there is no purchase screen; `ERROR` says why.
     * @param {string} packageName @param {Extras} extras
     * @returns {Promise<Bundle>}
     */
    async getBillingIntent(packageName, extras) {
      const body = Object.fromEntries(
        Object.entries(extras).map(([name, value]) => [EXTRAS[/** @type {keyof Extras} */ (name)], value]),
      )
      const { status, body: answer } = await terminal.ask('POST', pathOf(packageName, 'purchases'), { body })
      if (status === 201) return { BUY_INTENT: { purchaseId: answer.purchaseId, url: answer.url } }
      return { RESPONSE_CODE: answer.code, ERROR: serviceError(answer) }
    },

    /**
     * The result of a purchase: COMPLETED, DECLINED, CANCELLED, EXPIRED; OPEN also if the result is unknown.
     * @param {Pick<Intent, 'purchaseId'>} intent
     * @returns {Promise<string>}
     */
    async statusOf({ purchaseId }) {
      const { status, body } = await terminal.ask('GET', `/terminal/purchases/${purchaseId}`)
      if (status !== 200) return 'OPEN'
      return body.status === 'COMPLETED' && body.payment?.status === 'DECLINED' ? 'DECLINED' : body.status
    },

    /**
     * The merchant leaves the screen. A purchase completed in that moment stays, and statusOf reports the purchase.
     * @param {Pick<Intent, 'purchaseId'>} intent @param {Session} [as]
     */
    async leave({ purchaseId }, as) {
      await terminal.ask('DELETE', `/terminal/purchases/${purchaseId}`, as && { as })
    },
  }
}
