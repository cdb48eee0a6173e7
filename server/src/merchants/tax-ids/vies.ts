import { prefixOf, type TaxIdStatus } from '../../core/tax-id.ts'
import type { Post } from '../../platform/egress/post.ts'
import type { TaxIds } from './check.ts'

/** VIES asks the office of the member state, which may take seconds. */
const ANSWER_WITHIN_MS = 10_000
/** The answer repeats the name and address of the business. */
const KEEP_BYTES = 16_384

/**
 * VIES, the service of the European Commission. An office that is unavailable or busy answers 200 with
 * `actionSucceed: false` and without `valid`. Source: VIES, "REST API", `check-vat-number`.
 */
export function createVies({ post, url }: { readonly post: Post; readonly url: string }): TaxIds {
  return {
    async check({ country, taxId }) {
      const countryCode = prefixOf(country) ?? country
      const outcome = await post({
        url: `${url}/check-vat-number`,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ countryCode, vatNumber: taxId.slice(countryCode.length) }),
        ...{ sharer: 'vies', timeoutMs: ANSWER_WITHIN_MS, keepBytes: KEEP_BYTES },
      })
      if (outcome.kind === 'failed' || outcome.httpStatus !== 200) return 'UNAVAILABLE'
      return statusOf(outcome.answer)
    },
  }
}

function statusOf(text: string): TaxIdStatus | 'UNAVAILABLE' {
  try {
    const answer: unknown = JSON.parse(text)
    const valid = typeof answer === 'object' && answer !== null && 'valid' in answer ? answer.valid : undefined
    if (valid === true) return 'VALID'
    return valid === false ? 'INVALID' : 'UNAVAILABLE'
  } catch {
    return 'UNAVAILABLE'
  }
}
