/** A client of the service: the operator with the key, or the app with a token. */
export interface Client {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
  patch<T>(path: string, body: object): Promise<T>
  /** Sends a multipart form with a file. */
  patchForm<T>(path: string, form: FormData): Promise<T>
  delete<T>(path: string): Promise<T>
}

interface Caller {
  readonly baseUrl: string
  readonly bearer: string
  readonly signal: AbortSignal
}

/** Interface, Token response. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn: number
}

/** The service rejected a request. The message contains the request and the response. */
export class UnexpectedAnswer extends Error {
  override name = 'UnexpectedAnswer'
  /** The code of the rejection, if the body has one. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** Longer than 30 s: an advancing test clock answers 202 after 30 s. */
const ANSWER_WITHIN_MS = 45_000

export function createClient({ baseUrl, bearer, signal }: Caller): Client {
  // Interface, Versioning.
  const headers = { authorization: `Bearer ${bearer}`, 'api-version': '1.2' }
  function call<T>(method: string, path: string, body?: object): Promise<T> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    return send<T>(baseUrl + path, { method, headers: { ...headers, ...type }, ...json }, signal)
  }
  return {
    get: path => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    // The client chooses the boundary between the parts.
    patchForm: (path, form) => send(baseUrl + path, { method: 'PATCH', headers, body: form }, signal),
    delete: path => call('DELETE', path),
  }
}

/** Interface, Token endpoint: a form, with one of two grants. */
export function requestTokens(
  { baseUrl, signal }: Pick<Caller, 'baseUrl' | 'signal'>,
  form: Record<string, string>,
): Promise<Tokens> {
  return send(`${baseUrl}/token`, { method: 'POST', body: new URLSearchParams(form) }, signal)
}

async function send<T>(url: string, request: RequestInit & { method: string }, signal: AbortSignal): Promise<T> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  const text = await response.text()
  // An interrupt waits for the current call: aborting the call would leave the service a dead connection.
  signal.throwIfAborted()
  if (!response.ok) {
    throw new UnexpectedAnswer(
      `${request.method} ${new URL(url).pathname} was answered ${response.status}:\n${text}`,
      codeIn(text),
    )
  }
  return JSON.parse(text)
}

function codeIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { code?: string }).code
  } catch {
    return undefined
  }
}
