import { Type } from 'typebox'
import { Timestamp } from '../../platform/http/wire.ts'
import { INVARIANT_CHECK_NAMES } from './checks.ts'

export const ChecksQuery = Type.Object({ check: Type.Optional(Type.Enum([...INVARIANT_CHECK_NAMES])) })

export const ChecksJson = Type.Object({
  checkedAt: Timestamp,
  checks: Type.Array(
    Type.Object({
      check: Type.Enum([...INVARIANT_CHECK_NAMES]),
      rule: Type.String(),
      status: Type.Enum(['PASSED', 'VIOLATED', 'UNKNOWN']),
      violations: Type.Array(Type.Object({ id: Type.String(), problem: Type.String() })),
    }),
  ),
})
