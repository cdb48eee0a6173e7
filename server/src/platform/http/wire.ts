import { type TObject, type TSchema, Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { UUID_PATTERN } from '../../core/id.ts'
import { MAX_SEARCH_LENGTH } from '../../core/search.ts'

/** Wire shapes that all slices share: identifiers, instants, envelopes. */
export const Uuid = Type.String({ pattern: UUID_PATTERN, description: 'UUID' })

/** The values with ids in lower case, as the database writes ids: code may compare ids as text. Other texts stay as they are. */
export function withLowerCaseIds(schema: TObject | undefined, values: unknown): Record<string, unknown> {
  const lower = ([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && isId(schema?.properties[name]) ? value.toLowerCase() : value,
  ]
  return Object.fromEntries(Object.entries(values ?? {}).map(lower))
}

function isId(schema: { readonly pattern?: string; readonly anyOf?: readonly object[] } = {}): boolean {
  return schema.pattern === UUID_PATTERN || schema.anyOf?.some(isId) === true
}

const APP_URN_PREFIX = 'urn:aid:'
const DEVICE_URN_PREFIX = 'urn:tid:'

/** Interface, Resources: "an app identifier is a URN string of the form urn:aid:<uuid>". */
export const AppUrn = Type.String({ pattern: UUID_PATTERN.replace('^', `^${APP_URN_PREFIX}`), description: 'App URN' })

/** Interface, Resources: "a device identifier is a URN of the form urn:tid:<uuid>". */
export const DeviceUrn = Type.String({
  pattern: UUID_PATTERN.replace('^', `^${DEVICE_URN_PREFIX}`),
  description: 'Device URN',
})

/** Interface, Resources: timestamps out are `YYYY-MM-DDThh:mm:ssZ`. */
export const Timestamp = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$', description: 'UTC' })

/** A record with its instants as timestamps. */
export function timestamped<Fields extends object>(
  fields: Fields,
): { [K in keyof Fields]: Exclude<Fields[K], Date> | (Date extends Fields[K] ? string : never) } {
  const text = Object.entries(fields).map(([name, value]) => [name, value instanceof Date ? toTimestamp(value) : value])
  return Object.fromEntries(text)
}

/** A keyword that validation ignores: the contract shows its value in place of the schema. Query values arrive as text. */
export const DECLARED = 'x-declared'

/** An integer in a query. The use case parses the text, so that its rejection names the field. */
export const QueryInteger = (description: string, limits: { minimum?: number; maximum?: number } = {}) =>
  Type.String({ description, [DECLARED]: { type: 'integer', ...limits } })

/** `count` of a page of results. */
export const PageCount = QueryInteger('Page size, default 100. Values above 1000 mean 1000', { minimum: 1 })

/** `start` of a page of results: the interface describes an instant, the envelope an offset. */
export const PageStart = QueryInteger('Offset of the first item. An RFC 3339 instant is also accepted', {
  minimum: 0,
  maximum: 999_999_999_999_999,
})

/** `limit` of a list with links. */
export const ListLimit = QueryInteger('1 to 100, default 10', { minimum: 1, maximum: 100 })

/**
 * An RFC 3339 instant. The use case parses the text, so that its rejection names the field. The schema has no pattern for the years: generated
 * Python clients would match the pattern against a datetime.
 */
export const Instant = Type.String({
  description: 'RFC 3339, of the years 1970 to 9999',
  [DECLARED]: { type: 'string', format: 'date-time' },
})

/** An ISO 3166-1 country. The core knows the list. */
export const Country = Type.String({ [DECLARED]: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1' } })

/** An ISO 4217 currency. The core knows the list. */
export const CurrencyCode = Type.String({
  [DECLARED]: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217' },
})

/** The text that PostgreSQL can store: no NUL, no unpaired surrogate. */
export const TEXT_PATTERN = '^[^\\u0000\\uD800-\\uDFFF]*$'

/** Lengths count characters. */
export const Text = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, pattern: TEXT_PATTERN })

/** Control characters, line breaks, bidirectional marks and overrides, and halves of surrogate pairs. */
const NOT_IN_A_LINE =
  '\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069\\uFEFF\\uD800-\\uDFFF'

/**
 * One line of text that people read as a name: no control characters, line breaks or bidirectional overrides. Names appear in mails,
 * subjects and beside buttons and must not imitate other text.
 */
export const LINE_PATTERN = `^[^${NOT_IN_A_LINE}]*$`

/** Lengths count characters. */
export const Line = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, pattern: LINE_PATTERN })

const LINE = new RegExp(LINE_PATTERN)

/** Whether text that was typed into a page may be a `Line`. */
export const isLine = (text: string) => LINE.test(text)

/**
 * Checks the shape, and rejects invisible characters as `Line` does. A delivered message is the only proof of an address. RFC 5321,
 * 4.5.3.1.3: at most 254 characters.
 */
export const Email = Type.String({
  maxLength: 254,
  pattern: `^[^${NOT_IN_A_LINE} @]+@[^${NOT_IN_A_LINE} @]+$`,
  description: 'e-mail address',
})

/** The fields of a query for a list with links. */
export const listFields = {
  q: Type.Optional(
    Type.String({
      ...Text(MAX_SEARCH_LENGTH),
      description: 'An id, or the beginnings of words of the name, e-mail or package name',
    }),
  ),
  limit: Type.Optional(ListLimit),
  after: Type.Optional(Uuid),
}

/** A page of results that begins at an offset. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ list: Type.Array(item), start: Type.Integer(), total: Type.Integer(), count: Type.Integer() })

export const Link = Type.Object({ href: Type.String(), rel: Type.String(), method: Type.String() })

export const appUrn = (appId: string) => `${APP_URN_PREFIX}${appId}`
export const deviceUrn = (deviceId: string) => `${DEVICE_URN_PREFIX}${deviceId}`

/** The UUID of a valid app or device URN, in lower case as stored. */
export const uuidOfUrn = (urn: string) => urn.slice(APP_URN_PREFIX.length).toLowerCase()

/** Decisions 5, Business: address. */
export const PostalAddress = Type.Object({
  line1: Type.Optional(Line(255)),
  line2: Type.Optional(Line(255)),
  city: Type.Optional(Line(255)),
  territory: Type.Optional(Line(255)),
  postalCode: Type.Optional(Line(32)),
  countryCode: Type.Optional(Country),
})

/** A short list, whole in the envelope of every list. */
export function wholePage<Item>(list: readonly Item[]) {
  return { list, start: 0, total: list.length, count: list.length }
}
