import type { BusinessRecord } from '../core/business-record.ts'
import { badge } from '../platform/web/components/content.ts'
import type { Html } from '../platform/web/html.ts'
import { say } from '../platform/web/say.ts'

/** The answer of the service for tax ids. False: no service checks this id. */
export function taxIdBadge(
  { taxIdStatus, taxIdCheckAt }: Pick<BusinessRecord, 'taxIdStatus' | 'taxIdCheckAt'>,
  { verifies }: { readonly verifies: boolean },
): Html | false {
  if (taxIdStatus === 'VALID') return badge(say`Verified`, 'good')
  if (taxIdStatus === 'INVALID') return badge(say`Not valid`, 'bad')
  return verifies && taxIdCheckAt !== undefined && badge(say`Not verified yet`, 'warn')
}
