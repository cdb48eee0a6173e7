export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly format?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/**
 * The generated file of sdk/typescript: a type per schema, an entry per JSON operation, and the table of routes. openapi-typescript needs the
 * compiler API of TypeScript 5, which TypeScript 7 has not.
 */
export function sdkTypes(openApi: string): string {
  const document = JSON.parse(openApi) as Document
  const models = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`,
  )
  const operations = operationsOf(document)
  const types = operations.map(({ operation }) => {
    const { parameters = [], requestBody, responses } = operation
    const fields = parameters.flatMap(({ name, in: place, required, schema }) =>
      place === 'path' || place === 'query' ? [`${name}${required ? '' : '?'}: ${typeOf(schema)}`] : [],
    )
    const body = bodyOf(requestBody)
    if (body) fields.push(`body${requestBody?.required ? '' : '?'}: ${typeOf(body)}`)
    const answers = Object.entries(responses).flatMap(([status, response]) =>
      status.startsWith('2') ? [bodyOf(response) ? typeOf(bodyOf(response) as Schema) : 'undefined'] : [],
    )
    return `  /** ${operation.summary} */\n  ${operation.operationId}: { params: { ${fields.join('; ')} }; result: ${[...new Set(answers)].join(' | ')} }\n`
  })
  const routes = operations.map(({ operation, route }) => `  ${operation.operationId}: '${route}',\n`)
  return [
    '// Generated from contract/openapi.json by `npm run print`.\n',
    ...models,
    `\nexport interface Operations {\n${types.join('')}}\n`,
    '\n/** Method, path, and `keyed` if the operation takes an Idempotency-Key. */\n',
    `export const ROUTES: Readonly<Record<keyof Operations, string>> = {\n${routes.join('')}}\n`,
  ].join('\n')
}

/** Every operation that takes and returns JSON, with its method, its path, and `keyed` if it takes an Idempotency-Key. */
export function operationsOf({ paths }: Document) {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap(method => (item[method] ? [{ method, path, operation: item[method] }] : [])),
  )
  return all.filter(isJson).map(({ method, path, operation }) => {
    const isKeyed = operation.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')) ?? false
    return { operation, isKeyed, route: `${method.toUpperCase()} ${path}${isKeyed ? ' keyed' : ''}` }
  })
}

function isJson({ operation }: { operation: Operation }): boolean {
  const contents = [
    operation.requestBody,
    ...Object.entries(operation.responses).flatMap(([status, response]) => (status < '300' ? [response] : [])),
  ]
  return contents.every(content => !content?.content || 'application/json' in content.content)
}

export function bodyOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map(type => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return `Array<${schema.items ? typeOf(schema.items) : 'unknown'}>`
  if (Object.keys(schema.properties ?? {}).length > 0) return objectOf(schema)
  if (schema.type === 'object') {
    const values = typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties) : 'unknown'
    return `Record<string, ${values}>`
  }
  if (schema.type === 'integer') return 'number'
  return (schema.type as string | undefined) ?? 'unknown'
}

function objectOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `  ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}\n`,
  )
  return `{\n${fields.join('')}}`
}
