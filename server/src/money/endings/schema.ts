import { Type } from 'typebox'
import { AppUrn, appUrn, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import { ENDING_STATES, type Ending, percentOf } from './ending.ts'

export const EndingAppParams = Type.Object({ appId: AppUrn })
export const EndingParams = Type.Object({ appId: AppUrn, endingId: Uuid })

export const EndingBody = Type.Object({
  refundUnused: Type.Boolean({ description: 'Refund the share of each paid period after the app was disabled' }),
})

export const EndingJson = Type.Object({
  endingId: Uuid,
  appId: AppUrn,
  refundUnused: Type.Boolean(),
  state: Type.Enum([...ENDING_STATES]),
  progress: Type.Object({
    percent: Type.Integer(),
    total: Type.Integer({ description: 'Live subscriptions when the job began' }),
    ended: Type.Integer(),
    refunds: Type.Integer({ description: 'Refunds that were ordered' }),
    failed: Type.Integer({ description: 'Quarantined subscriptions, which need the operator' }),
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export function endingToJson(job: Ending) {
  const { appId, reachedId: _, total, ended, refunds, failed, ...shown } = job
  const progress = { percent: percentOf(job), total, ended, refunds, failed }
  return { ...timestamped(shown), appId: appUrn(appId), progress }
}
