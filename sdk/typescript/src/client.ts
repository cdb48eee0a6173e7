import { type ApiError, type Operations, ROUTES } from './contract.ts'
import { TillhookConnectionError, TillhookError } from './errors.ts'
import { type EventMessage, type EventsOptions, followEvents } from './events.ts'
import { type AppKey, signAssertion, type Tokens, tokenCache } from './token.ts'

export type TillhookOptions = {
  /** The address of the API, for example https://api.example.com. */
  readonly baseUrl: string
  /** The `aud` of the app's assertions. By default `baseUrl`. */
  readonly audience?: string
  /** Attempts after the first one. By default 3. */
  readonly retries?: number
  /** The time limit of one attempt. By default 30 seconds. */
  readonly timeoutMs?: number
  readonly fetch?: typeof fetch
} & (AppKey | { readonly token: string; readonly appId?: string })

export interface CallOptions {
  /** By default a new UUID, equal on every retry. Name your own to repeat a call after your process restarted. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type Name = keyof Operations & string
/** `appId` is the client's app by default. */
type Params<N extends Name> = Omit<Operations[N]['params'], 'appId'> &
  ('appId' extends keyof Operations[N]['params'] ? { appId?: string } : unknown)
type Arguments<N extends Name> =
  // biome-ignore lint/complexity/noBannedTypes: no required field means that the empty object fits.
  {} extends Params<N> ? [params?: Params<N>, options?: CallOptions] : [params: Params<N>, options?: CallOptions]

type ItemOf<Result> = Result extends { readonly list: ReadonlyArray<infer Item> }
  ? Item
  : {
      [K in keyof Result]-?: K extends 'links' ? never : Result[K] extends ReadonlyArray<infer Item> ? Item : never
    }[keyof Result]

/** One method for each operation of the contract, named by its operationId. */
export type Tillhook = { readonly [N in Name]: (...args: Arguments<N>) => Promise<Operations[N]['result']> } & {
  /** Every item of a list, over all its pages: `for await (const plan of tillhook.each('listPlans'))`. */
  each<N extends Name>(
    name: N,
    params?: Params<N>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Operations[N]['result']>>
  /** The app's events as they happen, without an endpoint: `for await (const message of tillhook.events())`. Reconnects by itself. */
  events(options?: EventsOptions): AsyncGenerator<EventMessage>
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly isRepeatable: boolean
  readonly options: CallOptions
}

const RETRIED = [429, 502, 503, 504]
const LONGEST_WAIT_MS = 60_000

export function createTillhook(options: TillhookOptions): Tillhook {
  const { retries = 3, timeoutMs = 30_000, fetch: send = fetch } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  let skewMs = 0
  const tokens = 'privateKey' in options ? tokenCache(() => exchange(options)) : undefined

  async function exchange(key: AppKey): Promise<Tokens> {
    const request = async () => {
      const assertion = await signAssertion(key, options.audience ?? baseUrl, Date.now() + skewMs)
      const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
      const body = new URLSearchParams({ grantType, assertion })
      return attempts({ method: 'POST', path: '/token', body, isRepeatable: true, options: {} })
    }
    let response = await request()
    // A clock that is minutes wrong signs assertions that the server rejects. The server's own clock decides.
    const serverNow = Date.parse(response.headers.get('date') ?? '')
    if (response.status === 401 && Math.abs(serverNow - Date.now() - skewMs) > 30_000) {
      skewMs = serverNow - Date.now()
      await response.body?.cancel()
      response = await request()
    }
    return (await read(response)) as Tokens
  }

  async function call(call: Call): Promise<unknown> {
    const token = tokens ? await tokens.get() : (options as { token: string }).token
    const response = await attempts(call, token)
    if (response.status !== 401 || !tokens) return read(response)
    await response.body?.cancel()
    await tokens.drop(token)
    return read(await attempts(call, await tokens.get()))
  }

  async function attempts({ method, path, body, idempotencyKey, isRepeatable, options }: Call, token?: string) {
    const headers: Record<string, string> = { 'api-version': '1.2' }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    if (body !== undefined && !(body instanceof URLSearchParams)) headers['content-type'] = 'application/json'
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    const init = { method, headers, ...(body !== undefined && { body: encode(body) }) }
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries
      const limit = AbortSignal.timeout(timeoutMs)
      const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
      try {
        const response = await send(`${baseUrl}${path}`, { ...init, signal })
        const isRetried = response.status === 429 || (isRepeatable && RETRIED.includes(response.status))
        if (isLast || !isRetried) return response
        await response.body?.cancel()
        await pause(retryAfter(response) ?? backoff(attempt), options.signal)
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason
        if (isLast || !isRepeatable) {
          throw new TillhookConnectionError(`no response from ${baseUrl} to ${method} ${path}`, { cause: error })
        }
        await pause(backoff(attempt), options.signal)
      }
    }
  }

  function invoke(name: Name, params: Record<string, unknown> = {}, options: CallOptions = {}, keepAppId = appId) {
    const [method = '', template = '', keyed] = ROUTES[name].split(' ')
    const { body, ...rest } = params
    const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
      const value = rest[field] ?? (field === 'appId' ? keepAppId : undefined)
      if (typeof value !== 'string' || value === '') throw new TypeError(`${name}: ${field} is missing`)
      delete rest[field]
      return encodeURIComponent(value)
    })
    const given = Object.entries(rest).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(
      given.map(([field, value]): [string, string] => [field, String(value)]),
    ).toString()
    const isRepeatable = keyed !== undefined || method === 'GET' || method === 'DELETE'
    // One key for all attempts, also after a new token.
    const idempotencyKey = keyed && { idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }
    // A POST without fields still has a JSON body.
    const sent = body ?? (method === 'POST' ? {} : undefined)
    return call({
      method,
      path: query ? `${path}?${query}` : path,
      body: sent,
      ...idempotencyKey,
      isRepeatable,
      options,
    })
  }
  const appId = options.appId

  async function* each(name: Name, params: Record<string, unknown> = {}, options: CallOptions = {}) {
    let at: Record<string, unknown> | undefined = params
    while (at) {
      const page = (await invoke(name, at, options)) as Page
      const lists = Object.entries(page).filter(([field, value]) => field !== 'links' && Array.isArray(value))
      const [, items] = lists.find(([field]) => field === 'list') ?? lists[0] ?? []
      if (!Array.isArray(items)) throw new TypeError(`${name} returns no list`)
      yield* items
      at = nextOf(page, at, items.length)
    }
  }

  async function connect(path: string, cursor: string | undefined, signal: AbortSignal): Promise<Response> {
    const ask = (token: string) => {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'api-version': '1.2' }
      return send(baseUrl + path, { headers: { ...headers, ...(cursor && { 'last-event-id': cursor }) }, signal })
    }
    const token = tokens ? await tokens.get() : (options as { token: string }).token
    const response = await ask(token)
    if (response.status !== 401 || !tokens) return response
    await response.body?.cancel()
    await tokens.drop(token)
    return ask(await tokens.get())
  }

  async function* events(options: EventsOptions = {}) {
    const id = options.appId ?? appId
    if (id === undefined) throw new TypeError('events: appId is missing')
    const path = `/apps/${encodeURIComponent(id)}/events/stream`
    yield* followEvents((cursor, signal) => connect(path, cursor, signal), options)
  }

  const methods = Object.keys(ROUTES).map(name => [
    name,
    // An async function, so that a missing parameter rejects as every other error does.
    async (params?: Record<string, unknown>, options?: CallOptions) => invoke(name as Name, params, options),
  ])
  return { ...Object.fromEntries(methods), each, events } as Tillhook
}

interface Page {
  readonly links?: readonly { readonly rel: string; readonly href: string }[]
  readonly next?: string
  readonly start?: number
  readonly total?: number
}

/** The parameters of the next page: by link, by cursor, or by offset. Undefined after the last page. */
function nextOf({ links, next, start = 0, total = 0 }: Page, params: Record<string, unknown>, count: number) {
  const href = links?.find(({ rel }) => rel === 'next')?.href ?? (next?.includes('?') ? next : undefined)
  if (href) return { ...params, ...Object.fromEntries(new URL(href, 'http://unused').searchParams) }
  if (next) {
    const { start: _, ...rest } = params
    return { ...rest, after: next }
  }
  return count > 0 && start + count < total ? { ...params, start: start + count } : undefined
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    body = undefined
  }
  if (response.ok && (text === '' || body !== undefined)) return body
  const requestId = response.headers.get('service-request-id') ?? undefined
  throw new TillhookError(response.status, (body ?? {}) as Partial<ApiError>, requestId)
}

function encode(body: unknown): string | URLSearchParams {
  return body instanceof URLSearchParams ? body : JSON.stringify(body)
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isNaN(seconds) ? undefined : Math.min(seconds * 1000, LONGEST_WAIT_MS)
}

function backoff(attempt: number): number {
  return 500 * 2 ** attempt * (0.5 + Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
