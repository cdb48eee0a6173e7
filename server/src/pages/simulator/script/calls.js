/* Calls the service with the headers that the interface requires, and reports each call to the journal. */

/** Interface, Versioning. */
const API_VERSION = '1.2'

/**
 * The body is JSON of the service; contract/openapi.json describes the body of each operation.
 * @typedef {{ status: number, body: any, requestId: string }} Answer
 * @typedef {{ bearer?: string, userSession?: string, body?: object, form?: Record<string, string>, requestId?: string }} Sent
 */

/**
 * `send` never throws: an unreachable service is an answer of status 0.
 * @param {{ note(call: Answer & { method: string, path: string }): void }} ports
 */
export function createCalls({ note }) {
  return {
    /**
     * @param {string} method @param {string} path @param {Sent} sent
     * @returns {Promise<Answer>}
     */
    async send(method, path, { bearer, userSession, body, form, requestId = crypto.randomUUID() } = {}) {
      const headers = {
        'api-version': API_VERSION,
        'service-request-id': requestId,
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(userSession && { 'service-user-session': userSession }),
        ...(body && { 'content-type': 'application/json' }),
      }
      // A request without cookies cannot use the rights of a signed-in page.
      /** @type {RequestInit} */
      const request = { method, headers, credentials: 'omit', cache: 'no-store' }
      if (body) request.body = JSON.stringify(body)
      if (form) request.body = new URLSearchParams(form)
      const answer = await answerOf(path, request, requestId)
      note({ method, path, ...answer })
      return answer
    },
  }
}

/** @param {string} path @param {RequestInit} request @param {string} requestId */
async function answerOf(path, request, requestId) {
  try {
    const response = await fetch(path, request)
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      requestId: response.headers.get('service-request-id') ?? requestId,
    }
  } catch {
    const message = 'The service cannot be reached. Is it running?'
    return { status: 0, body: { code: 'UNREACHABLE', message, developerMessage: message }, requestId }
  }
}
