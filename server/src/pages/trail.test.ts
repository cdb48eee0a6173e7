import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../test/support/world.ts'
import { tellStoryOfPages } from './story.fixture.ts'

const DRAFT = 'A draft belongs to nobody yet; the release that it becomes has an entry.'

/** Pages whose changes have no actor, with the reason. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  'POST /sign-in': 'A session’s row says who, since when and until when.',
  'POST /sign-in/code': 'A session’s row says who, since when and until when.',
  'POST /choose-workspace': 'A session’s row says as what.',
  'POST /device': 'The row of the session that follows says who, since when and until when.',
  'POST /mode': 'It changes a cookie and nothing else.',
  'POST /theme': 'It changes a cookie and nothing else.',
  'POST /sign-out': 'A session’s row says when it ended.',
  'POST /account/sessions/end': 'A session’s row says when it ended.',
  'POST /dev/apps/:appId/release': DRAFT,
  'POST /dev/apps/:appId/release/notes': DRAFT,
  'POST /dev/apps/:appId/release/plans/:planId': DRAFT,
  'POST /dev/apps/:appId/release/plans/:planId/remove': DRAFT,
  'POST /dev/apps/:appId/release/plans/:planId/card': 'It stores nothing.',
  'POST /dev/apps/:appId/release/discard': DRAFT,
  'POST /dev/apps/:appId/releases/:releaseId/again': DRAFT,
  'POST /dev/apps/:appId/subscriptions/:subscriptionId/invoices/:invoiceId/refund/preview': 'It stores nothing.',
  'POST /ops/apps/:appId/subscriptions/:subscriptionId/invoices/:invoiceId/refund/preview': 'It stores nothing.',
  'POST /test-bank/:chargeId': 'The payer acts at the bank, and nobody is known. The charge’s row has the outcome.',
  'POST /join': 'Only a mail is recorded.',
  'POST /reset-password': 'Nobody is known to ask. The link’s row says when.',
  'POST /ops/system/test-mail': 'The row of the test mail says who asked, and when.',
  'POST /applications/authorize/decline': 'It changes nothing.',
  'POST /webhooks/:hookId/resend/chosen': 'It changes nothing but the queue; the history has its attempts.',
  'POST /webhooks/:hookId/test': 'The notification and its attempt are in the history.',
  'POST /webhooks/:hookId/notifications/:notificationId/again':
    'It changes nothing but the queue; the history has its attempts.',
  'POST /webhooks/apps/:appId/events/:notificationId': 'The notification and its attempts are in the history.',
}

/** Pages that need Stripe Connect, which this world lacks. payouts/pages.test.ts expects their entries. */
const OF_CONNECT = ['POST /dev/payouts/account', 'POST /ops/organizations/:organizationId/payouts']

/** Anonymous pages: the mailed secret is the only identification. */
const BY_NOBODY = ['POST /invitations/accept', 'POST /join/confirm', 'POST /reset-password/new', 'POST /setup']

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
  await tellStoryOfPages(world)
})
after(() => world?.close())

test('every page that changes something writes an audit entry, or is listed with a reason', async () => {
  const rows = await world.app.ports.db.sql<{ name: string; principal: string; operation: string }[]>`
    select distinct method || ' ' || path as name, principal_kind as principal, operation from audit_entries`
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
  const changing = world.app.pages.filter(({ method }) => method === 'POST')
  const silent = changing.filter(({ audited }) => audited === false).map(nameOf)
  assert.deepEqual(silent.sort(), Object.keys(NOT_AUDITED).sort())
  const audited = changing.map(nameOf).filter(name => !silent.includes(name) && !OF_CONNECT.includes(name))
  const ofPages = rows.filter(({ name }) => changing.some(page => nameOf(page) === name))
  assert.deepEqual(ofPages.map(({ name }) => name).sort(), audited.sort(), 'press each in story.fixture.ts')
  const ofNobody = ofPages.filter(({ principal, operation }) => principal === 'anonymous' || operation === 'public')
  assert.deepEqual(ofNobody.map(({ name }) => name).sort(), BY_NOBODY)
})
