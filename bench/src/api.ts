import { type Dispatcher, Pool } from 'undici'

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly bearer?: string
  readonly json?: string
  readonly form?: string
  readonly key?: string
}

export interface ApiAnswer {
  readonly status: number
  readonly text: string
}

/** Keep-alive connections to the service, HTTP/1.1, one request at a time on each. */
export interface Api extends AsyncDisposable {
  /** Throws when there is no answer. */
  send(request: ApiRequest): Promise<ApiAnswer>
  /** Sends a request and discards the body, to save processor time here. */
  sendForStatus(request: ApiRequest): Promise<number>
}

/** No answer takes this long, unless the service hangs. */
const ANSWER_WITHIN_MS = 30_000

export function openApi(baseUrl: string, { connections }: { connections: number }): Api {
  const pool = new Pool(baseUrl, {
    connections,
    pipelining: 1,
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
  })
  return {
    send: async request => {
      const { statusCode, body } = await pool.request(optionsOf(request))
      return { status: statusCode, text: await body.text() }
    },
    sendForStatus: request =>
      new Promise((resolve, reject) => {
        let status = 0
        pool.dispatch(optionsOf(request), {
          onRequestStart() {},
          onResponseStart: (_controller, statusCode) => {
            status = statusCode
          },
          onResponseData() {},
          onResponseEnd: () => resolve(status),
          onResponseError: (_controller, error) => reject(error),
        })
      }),
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

function optionsOf(request: ApiRequest): Dispatcher.DispatchOptions {
  const { method, path, json, form } = request
  const body = json ?? form
  return { method, path, headers: headersOf(request), ...(body === undefined ? {} : { body }) }
}

export function headersOf({ bearer, json, form, key }: Partial<ApiRequest>): Record<string, string> {
  return {
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
  }
}
