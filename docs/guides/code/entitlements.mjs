/** Answers "may this merchant use the app?" from memory. Webhooks keep the answers fresh. */
export function createEntitlements(listActive, { maxAgeMs = 3_600_000 } = {}) {
  const known = new Map()

  async function isEntitled(businessId) {
    const kept = known.get(businessId)
    if (kept !== undefined && Date.now() - kept.at < maxAgeMs) return kept.isActive
    const isActive = (await listActive(businessId)).length > 0
    known.set(businessId, { isActive, at: Date.now() })
    return isActive
  }

  /** Call with each verified event. The next question reads the subscription again. */
  function onEvent({ businessId }) {
    known.delete(businessId)
  }

  return { isEntitled, onEvent }
}
