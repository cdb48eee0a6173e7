import { given } from '../../core/given.ts'
import { parsePage, parseSlice } from '../../core/page.ts'
import { organizationOf } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Decision } from '../../core/release.ts'
import type { Db } from '../../platform/db/db.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { decide, writeMessage } from './decide.ts'
import { getPackage, getRelease } from './get.ts'
import { pageOfAllReleases, pageOfReleases } from './list.ts'
import {
  AllReleasesQuery,
  NewMessage,
  NewRelease,
  Rejection,
  ReleaseAnswer,
  ReleaseListAnswer,
  ReleasePageAnswer,
  ReleasePath,
  ReleasesPath,
  ReleasesQuery,
  releaseListToJson,
  releasePageToJson,
  releaseToJson,
} from './schema.ts'
import { submitRelease } from './submit.ts'

/** Ignores the declared type: no browser may execute an uploaded file. */
const BYTES = 'application/octet-stream'
const NEVER_SHOWN = { 'content-disposition': 'attachment', 'x-content-type-options': 'nosniff' }

export function releaseRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/apps/:appId/releases',
      name: 'submitRelease',
      operation: 'apps.manage',
      summary: 'Submit a release of an app for review, with plans and optionally a package',
      params: ReleasesPath,
      body: NewRelease,
      upload: { json: 'release', file: 'package' },
      answers: { 201: ReleaseAnswer },
      rejections: ['TOO_MANY_PLANS', 'QUOTA_EXCEEDED', 'VERSION_CODE_TOO_LOW', 'SIGNER_CHANGED'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, body: { version, plans, notes, packageKind }, file, db }) {
        const release = given({ appId: uuidOfUrn(params.appId), version, plans, notes, packageKind, file })
        const submitted = await submitRelease({ ...ports, db }, release)
        return isRejection(submitted) ? submitted : answer(201, releaseToJson(submitted))
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/releases',
      name: 'listReleases',
      operation: 'apps.read',
      summary: 'List the releases of an app, without plans',
      params: ReleasesPath,
      query: ReleasesQuery,
      answers: { 200: ReleasePageAnswer },
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, query, db }) {
        const page = parsePage(query)
        if (isRejection(page)) return page
        const releases = await pageOfReleases({ ...ports, db }, { appId: uuidOfUrn(params.appId), page })
        return answer(200, releasePageToJson(releases))
      },
    }),
    route({
      method: 'GET',
      path: '/releases',
      name: 'listAllReleases',
      operation: 'apps.read',
      summary: 'List the releases of all apps, newest first, without plans. SUBMITTED releases wait for review',
      query: AllReleasesQuery,
      answers: { 200: ReleaseListAnswer },
      subject: ({ query, principal }) => organizationOf(principal, query.organizationId),
      async handle({ query, principal, db }) {
        const slice = parseSlice(query)
        if (isRejection(slice)) return slice
        const { status } = query
        const filter = { ...organizationOf(principal, query.organizationId), ...(status && { status }) }
        const page = await pageOfAllReleases({ db }, filter, slice)
        const links = nextLinks(`${ports.settings.baseUrl}/releases`, filter, slice, page.next)
        return answer(200, { releases: releaseListToJson(page.items), links })
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/releases/:releaseId',
      name: 'getRelease',
      operation: 'apps.read',
      summary: 'Get a release with its plans',
      params: ReleasePath,
      answers: { 200: ReleaseAnswer },
      rejections: ['RELEASE_NOT_FOUND'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, db }) {
        const release = await getRelease({ db }, { appId: uuidOfUrn(params.appId), releaseId: params.releaseId })
        return isRejection(release) ? release : answer(200, releaseToJson(release))
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/releases/:releaseId/package',
      name: 'getReleasePackage',
      operation: 'apps.read',
      summary: 'Download the package of a release',
      params: ReleasePath,
      contentType: BYTES,
      sends: ['Content-Disposition', 'X-Content-Type-Options'],
      answers: { 200: null },
      rejections: ['RELEASE_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, db }) {
        const found = await getPackage({ db }, { appId: uuidOfUrn(params.appId), releaseId: params.releaseId })
        if (isRejection(found)) return found
        const { size, chunks } = found
        return { status: 200, headers: NEVER_SHOWN, stream: { type: BYTES, size, chunks } }
      },
    }),
    route({
      method: 'POST',
      path: '/apps/:appId/releases/:releaseId/approve',
      name: 'approveRelease',
      operation: 'releases.decide',
      summary: 'Approve a release and activate its plans',
      params: ReleasePath,
      answers: { 200: ReleaseAnswer },
      rejections: ['RELEASE_NOT_FOUND', 'RELEASE_ALREADY_DECIDED'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: ({ params, db }) => decideByRoute(ports, db, params, { status: 'APPROVED' }),
    }),
    route({
      method: 'POST',
      path: '/apps/:appId/releases/:releaseId/reject',
      name: 'rejectRelease',
      operation: 'releases.decide',
      summary: 'Reject a release with a reason',
      params: ReleasePath,
      body: Rejection,
      answers: { 200: ReleaseAnswer },
      rejections: ['RELEASE_NOT_FOUND', 'RELEASE_ALREADY_DECIDED'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: ({ params, body, db }) => decideByRoute(ports, db, params, { status: 'REJECTED', reason: body.reason }),
    }),
    route({
      method: 'POST',
      path: '/apps/:appId/releases/:releaseId/withdraw',
      name: 'withdrawRelease',
      operation: 'apps.manage',
      summary: 'Withdraw a release from review and delete its package',
      params: ReleasePath,
      answers: { 200: ReleaseAnswer },
      rejections: ['RELEASE_NOT_FOUND', 'RELEASE_ALREADY_DECIDED'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: ({ params, db }) => decideByRoute(ports, db, params, { status: 'WITHDRAWN' }),
    }),
    route({
      method: 'POST',
      path: '/apps/:appId/releases/:releaseId/messages',
      name: 'writeReleaseMessage',
      operation: 'apps.manage',
      summary: "Ask the developer about a release in review, or answer the operator's question",
      params: ReleasePath,
      body: NewMessage,
      answers: { 200: ReleaseAnswer },
      rejections: ['RELEASE_NOT_FOUND', 'RELEASE_ALREADY_DECIDED', 'QUOTA_EXCEEDED'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, body, principal, db }) {
        const author = principal.kind === 'operator' ? 'OPERATOR' : 'DEVELOPER'
        const message = { messageId: ports.newId(), author, text: body.text } as const
        const of = { appId: uuidOfUrn(params.appId), releaseId: params.releaseId }
        const written = await writeMessage({ ...ports, db }, { ...of, ...message })
        return isRejection(written) ? written : answer(200, releaseToJson(written))
      },
    }),
  ]
}

async function decideByRoute(
  ports: Pick<Ports, 'clock' | 'newId' | 'vault' | 'settings'>,
  db: Db,
  params: { appId: string; releaseId: string },
  decision: Decision,
) {
  const of = { appId: uuidOfUrn(params.appId), releaseId: params.releaseId }
  const decided = await decide({ ...ports, db }, { ...of, decision })
  return isRejection(decided) ? decided : answer(200, releaseToJson(decided))
}
