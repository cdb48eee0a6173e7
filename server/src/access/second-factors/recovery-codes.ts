import { randomBytes } from 'node:crypto'
import { ACTIVATION_CODE_BYTES, activationCodeOf, hashActivationCode } from '../../core/activation-code.ts'

/** As many as other services give: enough for years, and few enough to be kept on paper. */
const HOW_MANY = 10

/** Written like activation codes: 80 bits, easy to read aloud. A plain hash protects them. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: HOW_MANY }, () => activationCodeOf(randomBytes(ACTIVATION_CODE_BYTES)))
}

export function hashRecoveryCode(code: string): Buffer {
  return hashActivationCode(code)
}
