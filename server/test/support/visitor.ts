import assert from 'node:assert/strict'
import type { App } from '../../src/app.ts'

const FORM = 'application/x-www-form-urlencoded'
const SESSION = 'tillhook'

/** A browser, as far as pages can tell: it keeps cookies by their paths, and posts the forms that it was shown. */
export function newVisitor(app: App, session?: string) {
  const jar = new Map<string, { name: string; value: string; path: string }>()
  if (session !== undefined) jar.set(SESSION, { name: SESSION, value: session, path: '/' })
  const send = async (method: 'GET' | 'POST', url: string, payload?: string, headers = {}) => {
    const { pathname } = new URL(url, 'http://x')
    const sent = [...jar.values()].filter(({ path }) => pathname.startsWith(path))
    const answer = await app.http.inject({
      ...{ method, url },
      headers: {
        cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; '),
        ...(payload === undefined ? {} : { 'content-type': FORM }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = '', path = '/'] = /^([^=]+)=([^;]*); Path=([^;]+)/.exec(line) ?? []
      jar.set(`${name} ${path}`, { name, value, path })
    }
    return answer
  }
  return {
    get: (url: string, headers = {}) => send('GET', url, undefined, headers),
    post: (url: string, fields: Record<string, string>, headers = {}) =>
      send('POST', url, new URLSearchParams(fields).toString(), headers),
    /** Sets a stolen or forged cookie. */
    keep: (name: string, value: string) => jar.set(`${name} /`, { name, value, path: '/' }),
    /** The session is over, as far as this browser knows. */
    forget: () => jar.clear(),
  }
}

export type Visitor = ReturnType<typeof newVisitor>

/** The fields of the form that posts to this address ('': to the page's own), as a browser would post them. */
export function fieldsOf(body: string, action: string): Record<string, string> {
  const forms = [...body.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([text]) => text)
  const form = forms.find(text =>
    action === '' ? !/^<form[^>]* action=/.test(text) : text.includes(`action="${action}"`),
  )
  assert.ok(form, `a form of ${action}`)
  const inputs = [...form.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) => attributes)
  const sent = inputs.filter(one => !one.includes('type="radio"') || / checked/.test(one))
  const read = (one: string, name: string) => unescaped(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(one)?.[1] ?? '')
  return Object.fromEntries(sent.map(one => [read(one, 'name'), read(one, 'value')]))
}

function unescaped(text: string): string {
  const signs: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  return text.replace(/&(lt|gt|quot|#39|amp);/g, sign => signs[sign] ?? sign)
}
