import { Secret, TOTP } from 'otpauth'

/** RFC 4226, 4: "the length of the shared secret MUST be at least 128 bits"; 160 are recommended. */
const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** RFC 6238, 5.2: "at most one time step is allowed as the network delay"; and a phone's clock may be as much ahead. */
const STEPS_OFF = 1

/** A new secret in base 32. */
export function makeSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The `otpauth` URI for an authenticator app, shown as a link and a QR code. The app shows the issuer above the code. */
export function otpauthUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return totpOf(secret, { issuer, label: email }).toString()
}

/** The time step of a code, or null if the code matches no step near now. The caller checks for reuse. */
export function stepOf(code: string, secret: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: STEPS_OFF })
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })
}
