import { Type } from 'typebox'
import { Timestamp } from '../../platform/http/wire.ts'
import { CHECKER_NAMES } from './checkers.ts'

export const ChecksQuery = Type.Object({ checker: Type.Optional(Type.Enum([...CHECKER_NAMES])) })

export const ChecksJson = Type.Object({
  checkedAt: Timestamp,
  checks: Type.Array(
    Type.Object({
      checker: Type.Enum([...CHECKER_NAMES]),
      holds: Type.String(),
      status: Type.Enum(['HOLDS', 'VIOLATED', 'UNKNOWN']),
      violations: Type.Array(Type.Object({ id: Type.String(), problem: Type.String() })),
    }),
  ),
})
