import type { ApiError } from './contract.ts'

/** An error response of Tillhook. Decide by `code`; log `message` and `requestId`. */
export class TillhookError extends Error {
  override readonly name = 'TillhookError'
  readonly status: number
  readonly code: ApiError['code'] | 'UNREADABLE_RESPONSE'
  readonly requestId: string | undefined
  /** The invalid fields, if the error names any. */
  readonly fields: NonNullable<ApiError['fields']>
  /** The whole error body. */
  readonly body: Partial<ApiError>

  constructor(status: number, body: Partial<ApiError>, requestId?: string) {
    super(body.developerMessage ?? `Tillhook answered ${status} without an error body`)
    this.status = status
    this.code = body.code ?? 'UNREADABLE_RESPONSE'
    this.requestId = body.requestId ?? requestId
    this.fields = body.fields ?? []
    this.body = body
  }
}

/** No response arrived in time, or at all. `cause` holds the reason. */
export class TillhookConnectionError extends Error {
  override readonly name = 'TillhookConnectionError'
}
