import type { CallCase, Outcome, Reply } from './sdk-case-types.ts'

const APP = 'urn:aid:019a3c7e-5c00-7000-8000-000000000002'
const PLANS = ['apps', APP, 'plans']
const SUBSCRIPTIONS = ['apps', APP, 'subscriptions']
const LIST = { operation: 'listPlans' }
const WALK = { operation: 'listPlans', each: true } as const
const PATCH = { operation: 'updateApp', body: { name: 'B' } }
const PATCHED = { method: 'PATCH', path: ['apps', APP], token: 't1', body: { name: 'B' } }
const REQUEST = { businessId: 'b', planId: 'p' }
const SUBSCRIBE = { operation: 'subscribe', body: REQUEST }
const EMPTY = { list: [], start: 0, total: 0, count: 0 }
const REVOKED = problem(401, 'INVALID_ACCESS_TOKEN')
const BUSY = problem(503, 'SERVICE_UNAVAILABLE')
const SOON = { ...BUSY, headers: { 'retry-after': '0' } }

const get = (token: string, query?: Record<string, string>) => ({
  method: 'GET',
  path: PLANS,
  token,
  ...(query && { query }),
})
const post = (token: string) => ({ method: 'POST', path: SUBSCRIPTIONS, token, body: REQUEST })
const page = (start: number, total = 3) => ({ body: { list: [{ planId: `p${start}` }], start, total, count: 1 } })
const items = (...ids: string[]) => ({ items: ids.map(planId => ({ planId })) })

function problem(status: number, code: string): Reply & { body: { requestId: string } } {
  const body = { code, httpStatus: status, message: 'm', developerMessage: 'what to do', requestId: 'req-1' }
  return { status, body }
}

function errorOf(status: number, code: string, requestId: string | null = 'req-1', fields: readonly unknown[] = []) {
  return { error: { status, code, requestId, fields } }
}

export const CALL_CASES: readonly CallCase[] = [...requests(), ...tokens(), ...pages(), ...retries(), ...errors()]

function requests(): CallCase[] {
  return [
    {
      name: 'a query, and the app of the client in the path',
      as: 'app',
      call: { ...LIST, params: { status: 'INACTIVE', count: 50 } },
      replies: [{ body: EMPTY }],
      expect: {
        requests: [get('t1', { status: 'INACTIVE', count: '50' })],
        outcome: { result: EMPTY },
      },
    },
    {
      name: 'letters that need encoding in a query',
      as: 'token',
      call: { operation: 'listOrganizations', params: { q: 'Käse & Wein+1 = 100%' } },
      replies: [{ body: { organizations: [], links: [] } }],
      expect: {
        requests: [{ method: 'GET', path: ['organizations'], query: { q: 'Käse & Wein+1 = 100%' }, token: 't0' }],
        outcome: { result: { organizations: [], links: [] } },
      },
    },
    {
      name: 'a boolean in a query',
      as: 'token',
      call: { operation: 'listHooks', params: { active: false } },
      replies: [{ body: { hooks: [], links: [] } }],
      expect: {
        requests: [{ method: 'GET', path: ['hooks'], query: { active: 'false' }, token: 't0' }],
        outcome: { result: { hooks: [], links: [] } },
      },
    },
    {
      name: 'a path parameter with a slash and a space stays one segment; a response without a body has no result',
      as: 'token',
      call: { operation: 'deleteHook', params: { hookId: 'a/b c?' } },
      replies: [{ status: 204 }],
      expect: {
        requests: [{ method: 'DELETE', path: ['hooks', 'a/b c?'], token: 't0' }],
        outcome: { result: null },
      },
    },
    {
      name: 'a body in UTF-8, and fields that are newer than the SDK',
      as: 'app',
      call: { operation: 'updateApp', body: { name: 'Grüße "🧀"\n\\' } },
      replies: [{ body: { name: 'ä\u0000\u2028', newer: { list: [1.5, -2e3, true, { a: [] }] } } }],
      expect: {
        requests: [{ method: 'PATCH', path: ['apps', APP], token: 't1', body: { name: 'Grüße "🧀"\n\\' } }],
        outcome: { result: { name: 'ä\u0000\u2028', newer: { list: [1.5, -2000, true, { a: [] }] } } },
      },
    },
    {
      name: 'a POST without fields has an empty object as its body, and a key of its own',
      as: 'app',
      call: { operation: 'restoreSubscription', params: { subscriptionId: 's' } },
      replies: [{ body: { subscriptionId: 's' } }],
      expect: {
        requests: [{ method: 'POST', path: [...SUBSCRIPTIONS, 's', 'restore'], token: 't1', body: {} }],
        idempotencyKey: 'generated',
        outcome: { result: { subscriptionId: 's' } },
      },
    },
  ]
}

function tokens(): CallCase[] {
  return [
    {
      name: 'a token that is revoked before a call is renewed once',
      as: 'app',
      call: LIST,
      replies: [REVOKED, { body: EMPTY }],
      expect: { requests: [get('t1'), get('t2')], tokenRequests: 2, outcome: { result: EMPTY } },
    },
    {
      name: 'a second 401 is an error',
      as: 'app',
      call: LIST,
      replies: [REVOKED, REVOKED],
      expect: {
        requests: [get('t1'), get('t2')],
        tokenRequests: 2,
        outcome: errorOf(401, 'INVALID_ACCESS_TOKEN'),
      },
    },
    {
      name: 'a fixed token is not renewed',
      as: 'token',
      call: { operation: 'listHooks' },
      replies: [REVOKED],
      expect: {
        requests: [{ method: 'GET', path: ['hooks'], token: 't0' }],
        outcome: errorOf(401, 'INVALID_ACCESS_TOKEN'),
      },
    },
    {
      name: 'a POST keeps its idempotency key with the new token',
      as: 'app',
      call: SUBSCRIBE,
      replies: [REVOKED, { status: 201, body: { subscriptionId: 's' } }],
      expect: {
        requests: [post('t1'), post('t2')],
        tokenRequests: 2,
        idempotencyKey: 'generated',
        outcome: { result: { subscriptionId: 's' } },
      },
    },
    ...[600, -600].map(serverSecondsAhead => ({
      name: `a clock that is ten minutes ${serverSecondsAhead < 0 ? 'fast' : 'slow'} signs by the clock of the server`,
      as: 'app' as const,
      serverSecondsAhead,
      call: LIST,
      replies: [{ body: EMPTY }],
      expect: { requests: [get('t1')], tokenRequests: 2, outcome: { result: EMPTY } },
    })),
    {
      name: 'a rejected assertion is an error, asked once if the clocks agree',
      as: 'app',
      call: LIST,
      replies: [],
      tokenReplies: [problem(401, 'INVALID_ASSERTION')],
      expect: { requests: [], outcome: errorOf(401, 'INVALID_ASSERTION') },
    },
    {
      name: 'the request for a token is repeated',
      as: 'app',
      call: LIST,
      replies: [{ body: EMPTY }],
      tokenReplies: [SOON, { ...problem(429, 'TOO_MANY_REQUESTS'), headers: { 'retry-after': '0' } }, { hangUp: true }],
      expect: { requests: [get('t1')], tokenRequests: 4, outcome: { result: EMPTY } },
    },
  ]
}

function pages(): CallCase[] {
  return [
    {
      name: 'a walk by offset',
      as: 'app',
      call: { ...WALK, params: { count: 1 } },
      replies: [page(0), page(1), page(2)],
      expect: {
        requests: [
          get('t1', { count: '1' }),
          get('t1', { count: '1', start: '1' }),
          get('t1', { count: '1', start: '2' }),
        ],
        outcome: items('p0', 'p1', 'p2'),
      },
    },
    {
      name: 'a walk by cursor, which ends the offset',
      as: 'app',
      call: { operation: 'listSubscriptions', each: true, params: { start: 0 } },
      replies: [
        { body: { list: [{ subscriptionId: 'a' }], start: 0, total: 2, count: 1, next: 'c 1' } },
        { body: { list: [{ subscriptionId: 'b' }], start: 1, total: 2, count: 1 } },
      ],
      expect: {
        requests: [
          { method: 'GET', path: SUBSCRIPTIONS, token: 't1', query: { start: '0' } },
          { method: 'GET', path: SUBSCRIPTIONS, token: 't1', query: { after: 'c 1' } },
        ],
        outcome: { items: [{ subscriptionId: 'a' }, { subscriptionId: 'b' }] },
      },
    },
    {
      name: 'a walk by links, over an empty page',
      as: 'token',
      call: { operation: 'listHooks', each: true, params: { limit: 1 } },
      replies: [
        {
          body: {
            hooks: [{ hookId: 'a' }],
            links: [{ rel: 'next', href: 'https://api.example/hooks?after=a%20b&limit=1' }],
          },
        },
        { body: { hooks: [], links: [{ rel: 'next', href: 'https://api.example/hooks?limit=1&after=c' }] } },
        { body: { hooks: [{ hookId: 'd' }], links: [{ rel: 'self', href: 'https://api.example/hooks' }] } },
      ],
      expect: {
        requests: [
          { method: 'GET', path: ['hooks'], token: 't0', query: { limit: '1' } },
          { method: 'GET', path: ['hooks'], token: 't0', query: { limit: '1', after: 'a b' } },
          { method: 'GET', path: ['hooks'], token: 't0', query: { limit: '1', after: 'c' } },
        ],
        outcome: { items: [{ hookId: 'a' }, { hookId: 'd' }] },
      },
    },
    {
      name: 'an answer with several lists walks the one named list',
      as: 'token',
      call: { operation: 'listUpcomingCharges', each: true },
      replies: [
        { body: { days: [{ day: '2026-01-01' }], list: [{ subscriptionId: 'a' }], next: 'c' } },
        { body: { days: [], list: [{ subscriptionId: 'b' }] } },
      ],
      expect: {
        requests: [
          { method: 'GET', path: ['operations', 'upcoming'], token: 't0' },
          { method: 'GET', path: ['operations', 'upcoming'], token: 't0', query: { after: 'c' } },
        ],
        outcome: { items: [{ subscriptionId: 'a' }, { subscriptionId: 'b' }] },
      },
    },
    {
      name: 'a token that is revoked in the middle of a walk is renewed, and the walk goes on',
      as: 'app',
      call: WALK,
      replies: [page(0), REVOKED, page(1), page(2)],
      expect: {
        requests: [get('t1'), get('t1', { start: '1' }), get('t2', { start: '1' }), get('t2', { start: '2' })],
        tokenRequests: 2,
        outcome: items('p0', 'p1', 'p2'),
      },
    },
    {
      name: 'a token that ends in the middle of a walk is renewed before the next page',
      as: 'app',
      // A token is renewed a minute before its end, so each page needs a new one.
      expiresIn: 60,
      call: WALK,
      replies: [page(0), page(1), page(2)],
      expect: {
        requests: [get('t1'), get('t2', { start: '1' }), get('t3', { start: '2' })],
        tokenRequests: 3,
        outcome: items('p0', 'p1', 'p2'),
      },
    },
    {
      name: 'an error in the middle of a walk comes after the items before it',
      as: 'app',
      call: WALK,
      replies: [page(0), problem(403, 'FORBIDDEN')],
      expect: {
        requests: [get('t1'), get('t1', { start: '1' })],
        outcome: { ...items('p0'), ...errorOf(403, 'FORBIDDEN') },
      },
    },
  ]
}

function retries(): CallCase[] {
  return [
    {
      name: '429 waits for Retry-After, also for a PATCH',
      as: 'app',
      call: PATCH,
      replies: [{ ...problem(429, 'TOO_MANY_REQUESTS'), headers: { 'retry-after': '1' } }, { body: { name: 'B' } }],
      expect: {
        requests: [PATCHED, PATCHED],
        pauseSeconds: 1,
        outcome: { result: { name: 'B' } },
      },
    },
    {
      name: 'a keyed POST is repeated after 503, 502, 504 with one key',
      as: 'app',
      call: SUBSCRIBE,
      replies: [
        SOON,
        { status: 502, body: '<html>', headers: { 'retry-after': '0' } },
        { ...problem(504, 'TIMEOUT'), headers: { 'retry-after': '0' } },
        { status: 201, body: { subscriptionId: 's' } },
      ],
      expect: {
        requests: [post('t1'), post('t1'), post('t1'), post('t1')],
        idempotencyKey: 'generated',
        outcome: { result: { subscriptionId: 's' } },
      },
    },
    {
      name: 'a keyed POST is repeated after a broken connection, with the key of the caller',
      as: 'app',
      call: { ...SUBSCRIBE, idempotencyKey: 'mine' },
      replies: [{ hangUp: true }, { status: 201, body: { subscriptionId: 's' } }],
      expect: {
        requests: [post('t1'), post('t1')],
        idempotencyKey: 'mine',
        outcome: { result: { subscriptionId: 's' } },
      },
    },
    {
      name: 'a PATCH is not repeated after 503',
      as: 'app',
      call: PATCH,
      replies: [BUSY],
      expect: { requests: [PATCHED], outcome: errorOf(503, 'SERVICE_UNAVAILABLE') },
    },
    {
      name: 'a PATCH is not repeated after a broken connection',
      as: 'app',
      call: PATCH,
      replies: [{ hangUp: true }],
      expect: { requests: [PATCHED], outcome: { noResponse: true } },
    },
    {
      name: 'retries end',
      as: 'app',
      retries: 2,
      call: LIST,
      replies: [SOON, SOON, SOON],
      expect: {
        requests: [get('t1'), get('t1'), get('t1')],
        outcome: errorOf(503, 'SERVICE_UNAVAILABLE'),
      },
    },
    {
      name: 'no retry if the caller wants none',
      as: 'app',
      retries: 0,
      call: SUBSCRIBE,
      replies: [{ hangUp: true }],
      expect: {
        requests: [post('t1')],
        idempotencyKey: 'generated',
        outcome: { noResponse: true },
      },
    },
    {
      name: '500 is not repeated',
      as: 'app',
      call: LIST,
      replies: [problem(500, 'INTERNAL_ERROR')],
      expect: { requests: [get('t1')], outcome: errorOf(500, 'INTERNAL_ERROR') },
    },
  ]
}

function errors(): CallCase[] {
  const fields = [{ path: 'planId', problem: 'is not a UUID' }]
  const wrong = problem(400, 'INVALID_PARAMETER')
  const failing = (name: string, reply: Reply, outcome: Outcome): CallCase => ({
    name,
    as: 'app',
    call: LIST,
    replies: [reply],
    expect: { requests: [get('t1')], outcome },
  })
  const html = { body: '<html>', headers: { 'service-request-id': 'req-2' } }
  return [
    failing(
      'an error has its status, code, fields and request id',
      { ...wrong, body: { ...wrong.body, fields } },
      errorOf(400, 'INVALID_PARAMETER', 'req-1', fields),
    ),
    failing(
      'an error whose body has no request id has that of the header',
      { status: 404, body: { code: 'PLAN_NOT_FOUND' }, headers: { 'service-request-id': 'req-2' } },
      errorOf(404, 'PLAN_NOT_FOUND', 'req-2'),
    ),
    failing('an error of a proxy', { status: 403, ...html }, errorOf(403, 'UNREADABLE_RESPONSE', 'req-2')),
    failing('a success that is no JSON', html, errorOf(200, 'UNREADABLE_RESPONSE', 'req-2')),
    failing('an error without a body', { status: 404 }, errorOf(404, 'UNREADABLE_RESPONSE', null)),
  ]
}
