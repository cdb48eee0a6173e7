import { Type } from 'typebox'
import { MAX_AMOUNT } from '../../core/money.ts'
import {
  CANCEL_POLICIES,
  INTERVALS,
  MAX_GRACE_DAYS,
  SCOPES,
  START_POLICIES,
  TRIAL_ELIGIBILITIES,
} from '../../core/plan.ts'
import {
  MAX_AMOUNTS,
  MAX_DESCRIPTION_LENGTH,
  MAX_INTERVAL_COUNT,
  MAX_NAME_LENGTH,
  MAX_TRIAL_DAYS,
} from '../../core/plan-definition.ts'
import {
  MAX_MESSAGE_LENGTH,
  MAX_NOTES_LENGTH,
  MESSAGE_AUTHORS,
  PACKAGE_KINDS,
  RELEASE_STATUSES,
  type Release,
} from '../../core/release.ts'
import {
  AppUrn,
  appUrn,
  Country,
  CurrencyCode,
  DECLARED,
  Line,
  Link,
  listFields,
  PageCount,
  PageStart,
  pageOf,
  Text,
  Timestamp,
  timestamped,
  Uuid,
} from '../../platform/http/wire.ts'
import { PlanAnswer, planToJson } from '../plans/schema.ts'
import type { ReleasePage } from './list.ts'
import type { ReleaseWithPlans } from './record.ts'

export const ReleasesPath = Type.Object({ appId: AppUrn })
export const ReleasePath = Type.Object({ appId: AppUrn, releaseId: Uuid })

export const ReleasesQuery = Type.Object({
  start: Type.Optional(PageStart),
  count: Type.Optional(PageCount),
})

const wholeNumber = (maximum: number, minimum = 0) => Type.Number({ [DECLARED]: { type: 'integer', minimum, maximum } })

const AmountFields = { country: Country, currency: CurrencyCode, value: wholeNumber(MAX_AMOUNT) }

/**
 * Checks types and sizes. core/plan-definition.ts checks the values and names the wrong field. Decisions 4: an unknown
 * field is rejected, because a price must never be approved by mistake.
 */
const PlanDefinition = Type.Object(
  {
    name: Line(MAX_NAME_LENGTH),
    amounts: Type.Array(Type.Object(AmountFields, { additionalProperties: false }), {
      description: `1 to ${MAX_AMOUNTS}, unique by country`,
    }),
    interval: Type.Enum(INTERVALS),
    intervalCount: Type.Optional(wholeNumber(MAX_INTERVAL_COUNT, 1)),
    scope: Type.Enum(SCOPES),
    description: Type.Optional(Text(MAX_DESCRIPTION_LENGTH, 0)),
    trialPeriodDays: Type.Optional(wholeNumber(MAX_TRIAL_DAYS)),
    trialEligibility: Type.Optional(Type.Enum(TRIAL_ELIGIBILITIES)),
    startPolicy: Type.Optional(Type.Enum(START_POLICIES)),
    cancelPolicy: Type.Optional(Type.Enum(CANCEL_POLICIES)),
    gracePeriodDays: Type.Optional(wholeNumber(Math.max(...Object.values(MAX_GRACE_DAYS)))),
  },
  { additionalProperties: false },
)

export const NewRelease = Type.Object({
  version: Line(255),
  plans: Type.Array(PlanDefinition),
  notes: Type.Optional(Text(MAX_NOTES_LENGTH)),
  packageKind: Type.Optional(
    Type.Enum(PACKAGE_KINDS, {
      description:
        'Default APK: the service reads the package. OTHER: the service stores the package without reading it',
    }),
  ),
})

export const Rejection = Type.Object({ reason: Text(MAX_MESSAGE_LENGTH) })

export const NewMessage = Type.Object({ text: Text(MAX_MESSAGE_LENGTH) })

const releaseFields = {
  releaseId: Uuid,
  appId: AppUrn,
  version: Type.String(),
  status: Type.Enum(RELEASE_STATUSES),
  notes: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  package: Type.Optional(
    Type.Object({
      size: Type.Integer(),
      sha256: Type.String({ description: 'In hexadecimal digits' }),
      contentType: Type.String(),
      apk: Type.Optional(
        Type.Object(
          {
            packageName: Type.String(),
            versionCode: Type.Integer(),
            signerSha256: Type.String({ description: 'SHA-256 of the signing certificate, in hexadecimal digits' }),
            permissions: Type.Array(Type.String()),
            versionName: Type.Optional(Type.String()),
            label: Type.Optional(Type.String()),
            icon: Type.Optional(Type.String({ description: 'A data URL' })),
          },
          { description: 'The data that the service read from the APK' },
        ),
      ),
    }),
  ),
  createdAt: Timestamp,
  decidedAt: Type.Optional(Timestamp),
}

/** A plan has one shape everywhere, shared by catalog/plans. */
export const ReleaseAnswer = Type.Object({
  ...releaseFields,
  plans: Type.Array(PlanAnswer),
  messages: Type.Array(
    Type.Object({
      messageId: Uuid,
      author: Type.Enum(MESSAGE_AUTHORS),
      text: Type.String(),
      createdAt: Timestamp,
    }),
    { description: 'Questions of the operator and answers of the developer, oldest first' },
  ),
})

export const ReleasePageAnswer = pageOf(Type.Object(releaseFields))

export const AllReleasesQuery = Type.Object({
  organizationId: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum(RELEASE_STATUSES)),
  limit: listFields.limit,
  after: listFields.after,
})

export const ReleaseListAnswer = Type.Object({
  releases: Type.Array(Type.Object(releaseFields)),
  links: Type.Array(Link),
})

export function releaseListToJson(releases: readonly Release[]) {
  return releases.map(withoutPlans)
}

export function releaseToJson({ release, plans, messages }: ReleaseWithPlans) {
  return {
    ...withoutPlans(release),
    plans: plans.map(plan => planToJson(plan)),
    messages: messages.map(message => timestamped(message)),
  }
}

export function releasePageToJson({ releases, start, total }: ReleasePage) {
  return { list: releases.map(withoutPlans), start, total, count: releases.length }
}

function withoutPlans(release: Release) {
  return { ...timestamped(release), appId: appUrn(release.appId) }
}
