import { randomBytes } from 'node:crypto'
import { ACTIVATION_CODE_BYTES, activationCodeOf, hashActivationCode } from '../../core/activation-code.ts'

/** As many as other services give: enough for years, and few enough to be kept on paper. */
const HOW_MANY = 10

/** Written as the codes of terminals are: 80 bits, easy to read aloud, so that a plain hash is enough to keep them by. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: HOW_MANY }, () => activationCodeOf(randomBytes(ACTIVATION_CODE_BYTES)))
}

export function hashRecoveryCode(code: string): Buffer {
  return hashActivationCode(code)
}
