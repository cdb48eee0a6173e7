import { principalName } from '../../core/principal.ts'
import type { Ports } from '../../ports.ts'
import type { Auditor } from '../http/audit.ts'
import { setAct } from './store.ts'

/** Each transaction of a request says whose act it is; the database records what it changes. */
export function createAuditor({ clock }: Pick<Ports, 'clock'>): Auditor {
  return {
    attribute: ({ sql }, { principal, ...act }) =>
      setAct(sql, { at: clock.now(), principal: principalName(principal), principalKind: principal.kind, ...act }),
  }
}
