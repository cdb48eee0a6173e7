/* One call to the service: as the interface wants it, and noted for whoever watches. */

/** Interface, Versioning. */
const API_VERSION = '1.2'

/**
 * `send(method, path, { bearer, userSession, body | form, requestId })` gives `{ status, body, requestId }`. It never throws: a
 * service that cannot be reached is an answer, too, of status 0.
 */
export function createCalls({ note }) {
  return {
    async send(method, path, { bearer, userSession, body, form, requestId = crypto.randomUUID() } = {}) {
      const headers = {
        'api-version': API_VERSION,
        'service-request-id': requestId,
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(userSession && { 'service-user-session': userSession }),
        ...(body && { 'content-type': 'application/json' }),
      }
      // A request without cookies cannot use the rights of a signed-in page.
      const request = { method, headers, credentials: 'omit', cache: 'no-store' }
      if (body) request.body = JSON.stringify(body)
      if (form) request.body = new URLSearchParams(form)
      const answer = await answerOf(path, request, requestId)
      note({ method, path, ...answer })
      return answer
    },
  }
}

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
