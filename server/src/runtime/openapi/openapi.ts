/** The subset of OpenAPI 3.1 that document.ts writes and page.ts shows. */
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, Ref>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Readonly<Record<string, Response>>
    readonly pathItems: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /** The right of each kind of caller, as core/rights.ts grants it. Absent on webhooks. */
  readonly 'x-rights'?: Readonly<Record<string, string>>
  /** The values of `code` in the error body, by status. Absent on webhooks. */
  readonly 'x-codes'?: Readonly<Record<string, readonly string[]>>
  readonly parameters: readonly (Parameter | Ref)[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Content
    /** The parts of the multipart form that the operation also accepts. */
    readonly 'x-upload'?: { readonly json: string; readonly file: string }
  }
  readonly responses: Readonly<Record<string, Response | Ref>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Header {
  readonly description: string
  readonly schema: Schema
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Ref>>
  readonly content?: Content
}

export type Content = Readonly<Record<string, MediaType>>

export interface MediaType {
  readonly schema: Schema
  readonly example?: unknown
}

export interface Ref {
  readonly $ref: string
  readonly description?: string
}

/** The keywords of JSON Schema 2020-12 that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly additionalProperties?: boolean
  readonly examples?: readonly unknown[]
}
