import { Type } from 'typebox'
import { LONGEST_PASSWORD } from '../../core/user.ts'
import { Email, Line, Text, Uuid } from '../../platform/http/wire.ts'
import { RecoveryCode, Totp } from '../sessions/schema.ts'

const Password = Text(LONGEST_PASSWORD)

export const AccountAnswer = Type.Object({
  userId: Uuid,
  email: Type.String(),
  name: Type.String(),
  hasSecondFactor: Type.Boolean(),
  recoveryCodesLeft: Type.Integer(),
})

export const AccountChange = Type.Object({ name: Line(255) })
export const PasswordChange = Type.Object({ password: Password, newPassword: Password })

export const FactorSetUp = Type.Object({ password: Password })
export const FactorConfirmation = Type.Object({ totp: Totp })
export const Confirmation = Type.Object({
  password: Password,
  totp: Type.Optional(Totp),
  recoveryCode: Type.Optional(RecoveryCode),
})

export const SetUpAnswer = Type.Object({
  secret: Type.String(),
  otpauthUri: Type.String(),
  /** The secret as a QR code for an authenticator app. */
  qrCode: Type.String({ description: 'SVG' }),
})
export const RecoveryCodesAnswer = Type.Object({ recoveryCodes: Type.Array(Type.String()) })

export const ResetRequest = Type.Object({ email: Email })
export const ResetCompletion = Type.Object({ secret: Text(200), newPassword: Password })
