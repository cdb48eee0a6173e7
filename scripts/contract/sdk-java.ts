import { requestSchemas, typesOf } from './sdk-java-types.ts'
import { bodyOf, type Document, type Operation, operationsOf, type Schema } from './sdk-types.ts'

const HEAD = '// Generated from contract/openapi.json by `npm run print`.\n'
/** Query parameters that name a page of results. */
const CURSORS = ['start', 'after']

/** The generated files of sdk/java by path: a class per schema, a class per query, and a typed method per JSON operation. */
export function sdkJava(openApi: string): Map<string, string> {
  const document = JSON.parse(openApi) as Document
  const { schemas } = document.components
  const operations = operationsOf(document)
  const types = typesOf(schemas, requestSchemas(document), itemsOfPages(schemas, operations))
  const files = new Map<string, string>()
  const add = (name: string, code: string) =>
    files.set(
      `model/${name}.java`,
      `${HEAD}package com.tillhook.model;\n\nimport com.tillhook.*;\nimport java.time.Instant;\nimport java.util.List;\nimport java.util.Map;\nimport java.util.Optional;\n\n${code}`,
    )
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties) add(name, types.model(name, schema))
    else if (schema.anyOf) add(name, types.union(name, schema))
  }
  for (const { operation } of operations) {
    const optional = optionalOf(operation)
    if (optional.length > 0) add(queryOf(operation), types.query(queryOf(operation), operation.summary ?? '', optional))
  }
  const methods = operations.map(({ operation, route }) => method(operation, route, schemas))
  files.set(
    'Operations.java',
    `${HEAD}package com.tillhook;

import com.tillhook.model.*;
import java.util.Map;
import java.util.function.Function;

/** One method for each JSON operation of the contract. */
abstract class Operations {
  /** Carries an operation out. \`params\` holds names and values in turn; a value of null is absent. */
  abstract <T> T invoke(String name, String route, Query query, Model body, Function<Map<String, ?>, T> read, Object... params);

${methods.join('\n')}}
`,
  )
  return files
}

type Operations = ReturnType<typeof operationsOf>

/** The item's schema of each page of results, by the name of the page's schema. */
function itemsOfPages(schemas: Document['components']['schemas'], operations: Operations): Map<string, string> {
  const pages = operations.flatMap(({ operation }) => {
    const isPaged = parametersOf(operation).some(({ name }) => CURSORS.includes(name))
    const [result] = resultsOf(operation, schemas)
    if (!isPaged || result === undefined) return []
    const lists = Object.entries(schemas[result]?.properties ?? {}).filter(
      ([name, { type }]) => type === 'array' && name !== 'links',
    )
    // A page with several lists walks `list`.
    const list = lists.find(([name]) => name === 'list') ?? lists[0]
    return list ? [[result, list[0]] as const] : []
  })
  return new Map(pages)
}

function method(operation: Operation, route: string, schemas: Document['components']['schemas']): string {
  const { operationId, summary, requestBody } = operation
  const body = bodyOf(requestBody)
  const bodyType = body?.$ref === undefined ? undefined : nameOf(body.$ref)
  const required = parametersOf(operation).filter(({ name, required }) => required && name !== 'appId')
  const optional = optionalOf(operation)
  const result = returned(operation, schemas)
  const isBodyRequired = requestBody?.required ?? false

  const fixed = required.map(({ name }) => `String ${name}`)
  const bodyArgument = bodyType === undefined ? [] : [`${bodyType} body`]
  const queryArgument = optional.length > 0 ? [`${queryOf(operation)} query`] : []
  const full = [...fixed, ...bodyArgument, ...queryArgument]
  const least = [...fixed, ...(isBodyRequired ? bodyArgument : [])]
  const sent = [
    ...[`"${operationId}"`, `"${route}"`],
    ...[queryArgument.length > 0 ? 'query' : 'null', bodyType === undefined ? 'null' : 'body'],
    result === undefined ? 'fields -> null' : `${result}::new`,
    ...required.map(({ name }) => `"${name}", ${name}`),
  ].join(', ')
  const head = `  /** ${summary}. */\n  public ${result ?? 'void'} ${operationId}`
  const invoked = `${result === undefined ? '' : 'return '}invoke(${sent});`
  const whole = `${head}(${full.join(', ')}) {\n    ${invoked}\n  }\n`
  if (least.length === full.length) return whole
  const passed = [
    ...required.map(({ name }) => name),
    ...(bodyType === undefined ? [] : [isBodyRequired ? 'body' : `new ${bodyType}()`]),
    ...(queryArgument.length > 0 ? [`new ${queryOf(operation)}()`] : []),
  ].join(', ')
  return `${head}(${least.join(', ')}) {\n    ${result === undefined ? '' : 'return '}${operationId}(${passed});\n  }\n\n${whole}`
}

/** The class that a method returns: the only result, or the union of all results. Undefined if every answer is empty. */
function returned(operation: Operation, schemas: Document['components']['schemas']): string | undefined {
  const results = resultsOf(operation, schemas)
  if (results.length <= 1) return results[0]
  const union = Object.entries(schemas).find(
    ([name]) => membersOf(name, schemas).toSorted().join() === results.toSorted().join(),
  )
  if (!union)
    throw new Error(`${operation.operationId} returns ${results.join(' or ')}: name that union in the contract`)
  return union[0]
}

/** The names of the result schemas, each union replaced by its members. */
function resultsOf({ responses }: Operation, schemas: Document['components']['schemas']): string[] {
  const names = Object.entries(responses).flatMap(([status, response]) => {
    const schema = status.startsWith('2') ? bodyOf(response) : undefined
    if (!schema) return []
    return schema.$ref === undefined ? ['JsonObject'] : membersOf(nameOf(schema.$ref), schemas)
  })
  return [...new Set(names)]
}

function membersOf(name: string, schemas: Readonly<Record<string, Schema>>): string[] {
  return schemas[name]?.anyOf?.map(({ $ref = '' }) => nameOf($ref)) ?? [name]
}

function optionalOf(operation: Operation) {
  return parametersOf(operation).filter(({ in: place, required }) => place === 'query' && !required)
}

function parametersOf({ parameters = [] }: Operation) {
  return parameters.filter(({ in: place }) => place === 'path' || place === 'query')
}

function queryOf({ operationId }: Operation): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}
