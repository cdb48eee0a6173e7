import { bodyOf, type Document, type Operation, operationsOf, type Schema } from './sdk-types.ts'

const KEYWORDS = (
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass ' +
  'raise return try while with yield'
).split(' ')

/** The generated file of sdk/python: a TypedDict per schema, the table of routes, and a typed method per JSON operation. */
export function sdkPython(openApi: string): string {
  const document = JSON.parse(openApi) as Document
  const operations = operationsOf(document)
  const models = Object.entries(document.components.schemas).map(([name, schema]) => model(name, schema))
  const routes = operations.map(({ operation, route }) => `    ${text(operation.operationId)}: ${text(route)},\n`)
  const names = operations.map(({ operation }) => {
    const pairs = parametersOf(operation).map(({ name }) => `${text(snake(name))}: ${text(name)}`)
    return `    ${text(operation.operationId)}: {${pairs.join(', ')}},\n`
  })
  const methods = (kind: 'sync' | 'async') => operations.map(one => method(one, kind)).join('\n')
  return `# Generated from contract/openapi.json by \`npm run print\`.
# ruff: noqa
from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Union

from typing_extensions import NotRequired, TypeAlias, TypedDict

${models.join('\n')}
#: Method, path, and "keyed" if the operation takes an Idempotency-Key.
ROUTES: Dict[str, str] = {
${routes.join('')}}

#: The name of each parameter in the contract, by its name in Python.
PARAMETERS: Dict[str, Dict[str, str]] = {
${names.join('')}}


class Operations:
    """One method for each JSON operation of the contract."""

    def _invoke(self, name: str, params: Mapping[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        raise NotImplementedError

${methods('sync')}

class AsyncOperations:
    """One coroutine for each JSON operation of the contract."""

    async def _invoke(self, name: str, params: Mapping[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        raise NotImplementedError

${methods('async')}`
}

/** The functional form takes fields that are keywords of Python. */
function model(name: string, schema: Schema): string {
  if (!schema.properties) return `${name}: TypeAlias = ${text(typeOf(schema))}\n`
  return `${name} = TypedDict(${text(name)}, ${fieldsOf(schema)})\n`
}

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema)
    return `    ${text(name)}: ${text(required.includes(name) ? type : `NotRequired[${type}]`)},\n`
  })
  return `{\n${fields.join('')}}`
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.enum) return `Literal[${schema.enum.map(value => JSON.stringify(value)).join(', ')}]`
  if (schema.anyOf) return union(schema.anyOf.map(typeOf))
  if (Array.isArray(schema.type)) return union(schema.type.map(type => typeOf({ ...schema, type })))
  if (schema.type === 'array') return `List[${schema.items ? typeOf(schema.items) : 'Any'}]`
  // Python has no anonymous TypedDict.
  if (schema.type === 'object' || schema.properties) {
    const { additionalProperties: values } = schema
    return `Dict[str, ${typeof values === 'object' ? typeOf(values) : 'Any'}]`
  }
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[String(schema.type)] ?? 'Any'
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  return distinct.length === 1 ? (distinct[0] ?? 'Any') : `Union[${distinct.join(', ')}]`
}

function method({ operation, isKeyed }: { operation: Operation; isKeyed: boolean }, kind: 'sync' | 'async'): string {
  const { operationId, summary = '', requestBody, responses } = operation
  const parameters = parametersOf(operation)
  const body = bodyOf(requestBody)
  const isRequired = ({ name, required }: { name: string; required?: boolean }) => required && name !== 'appId'
  const declared = [
    ...(body && requestBody?.required ? [`body: ${typeOf(body)}`] : []),
    ...parameters.filter(isRequired).map(({ name, schema }) => `${snake(name)}: ${typeOf(schema)}`),
    ...parameters
      .filter(one => !isRequired(one))
      .map(({ name, schema }) => `${snake(name)}: Optional[${typeOf(schema)}] = None`),
    ...(body && !requestBody?.required ? [`body: Optional[${typeOf(body)}] = None`] : []),
    ...(isKeyed ? ['idempotency_key: Optional[str] = None'] : []),
  ]
  const answers = Object.entries(responses).flatMap(([status, response]) => {
    if (!status.startsWith('2')) return []
    const schema = bodyOf(response)
    return [schema ? typeOf(schema) : 'None']
  })
  const params = parameters.map(({ name }) => `${text(name)}: ${snake(name)}`).join(', ')
  const [head, wait] = kind === 'async' ? ['async def', 'await '] : ['def', '']
  const arguments_ = declared.length > 0 ? `self, *, ${declared.join(', ')}` : 'self'
  const sent = `${text(operationId)}, {${params}}, ${body ? 'body' : 'None'}, ${isKeyed ? 'idempotency_key' : 'None'}`
  return `    ${head} ${snake(operationId)}(${arguments_}) -> ${union(answers)}:
        """${summary}."""
        return ${wait}self._invoke(${sent})
`
}

function parametersOf({ parameters = [] }: Operation) {
  return parameters.filter(({ in: place }) => place === 'path' || place === 'query')
}

/** A keyword of Python gets an underscore at its end: `from_`. */
function snake(name: string): string {
  const words = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return KEYWORDS.includes(words) ? `${words}_` : words
}

function text(value: string): string {
  return JSON.stringify(value)
}
