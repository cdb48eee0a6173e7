import type { PostOutcome } from '../../../src/platform/egress/exchange.ts'
import type { PostRequest } from '../../../src/platform/egress/post.ts'
import type { Random } from '../random.ts'

export const BEHAVIOURS = ['healthy', 'refusing', 'frozen', 'dripping', 'failing', 'flaky'] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

/** One POST with any outcome. */
export interface Receipt {
  readonly notificationId: string
  readonly hookId: string
  readonly process: string
  readonly body: string
  readonly acknowledged: boolean
}

/** The endpoints of the hooks. An endpoint can fail for a while and recover. */
export interface Endpoints {
  readonly receipts: Receipt[]
  readonly behaviours: Map<string, Behaviour>
  /** The response to one POST. */
  answer(request: PostRequest, process: string): PostOutcome
}

export function createEndpoints(random: () => Random): Endpoints {
  const receipts: Receipt[] = []
  const behaviours = new Map<string, Behaviour>()
  return {
    receipts,
    behaviours,
    answer: ({ headers, sharer = '', body }, process) => {
      const behaviour = behaviours.get(sharer) ?? 'healthy'
      const outcome = OUTCOMES[behaviour === 'flaky' ? random().pick(BEHAVIOURS.slice(0, 5)) : behaviour]
      const acknowledged = outcome.kind === 'answered' && outcome.httpStatus === 200
      const notificationId = String(headers['webhook-id'])
      receipts.push({ notificationId, hookId: sharer, process, body: String(body), acknowledged })
      return outcome
    },
  }
}

const OUTCOMES: Readonly<Record<Behaviour, PostOutcome>> = {
  healthy: { kind: 'answered', httpStatus: 200, answer: '', durationMs: 3 },
  flaky: { kind: 'answered', httpStatus: 200, answer: '', durationMs: 3 },
  dripping: { kind: 'answered', httpStatus: 200, answer: '', durationMs: 1_950 },
  failing: { kind: 'answered', httpStatus: 500, answer: '', durationMs: 3 },
  refusing: { kind: 'failed', reason: 'refused', durationMs: 1 },
  frozen: { kind: 'failed', reason: 'timeout', durationMs: 2_000 },
}
