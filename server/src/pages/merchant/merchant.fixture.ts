import assert from 'node:assert/strict'
import { newPerson, type Person } from '../../../test/support/people.ts'
import type { World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'

/** A page without a browser. */
export interface Seen {
  readonly status: number
  readonly text: string
  /** The visible text: no tags, single blanks. */
  readonly words: string
  readonly location: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** A person of a business with a session cookie. */
export interface Visitor {
  readonly person: Person
  get(path: string): Promise<Seen>
  /** Opens the page and posts its form with its hidden fields: the form with that action, or the first. */
  send(path: string, fields?: Readonly<Record<string, string>>, action?: string): Promise<Seen>
  /** Posts just these fields. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Seen>
}

export async function visitor(world: World, businessId: string, role: PersonRole = 'OWNER'): Promise<Visitor> {
  const person = await newPerson(world, { kind: 'MERCHANT', businessId }, role)
  return { person, ...visiting(world, person.token) }
}

/** The visitor with this session; null is a visitor without a session. */
export function visiting(world: World, token: string | null): Omit<Visitor, 'person'> {
  const cookie: Record<string, string> = token === null ? {} : { cookie: `tillhook=${token}` }
  const get = async (path: string) => seenOf(await world.app.http.inject({ url: path, headers: cookie }))
  const post: Visitor['post'] = async (path, fields, headers = {}) =>
    seenOf(
      await world.app.http.inject({
        ...{ method: 'POST', url: path },
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...cookie, ...headers },
        payload: new URLSearchParams(fields).toString(),
      }),
    )
  return {
    get,
    post,
    async send(path, fields = {}, action) {
      const page = await get(path)
      const form = formOf(page.text, action)
      assert.ok(form, `${path} has no form${action === undefined ? '' : ` to ${action}`}: ${page.words}`)
      return post(form.action ?? path, { ...form.hidden, ...fields })
    },
  }
}

/** Every page has them. */
const OF_FRAME = ['/sign-out', '/theme', '/mode', '/choose-workspace']

/** The hidden fields and the action of a form that posts. */
export function formOf(text: string, action?: string) {
  for (const [form, attributes = ''] of text.matchAll(/<form ([^>]*)>[\s\S]*?<\/form>/g)) {
    const to = /action="([^"]*)"/.exec(attributes)?.[1]
    if (!attributes.includes('method="post"')) continue
    if (action === undefined ? OF_FRAME.includes(to ?? '') : to !== action) continue
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    return { action: to, hidden: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) }
  }
  return null
}

function seenOf({
  statusCode: status,
  body: text,
  headers,
}: Awaited<ReturnType<World['app']['http']['inject']>>): Seen {
  const words = text
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<\/?(time|strong|a|code|wbr)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
  return { status, text, words, location: String(headers.location ?? ''), headers }
}
