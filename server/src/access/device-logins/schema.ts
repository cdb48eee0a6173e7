import { Type } from 'typebox'
import { POLL_INTERVAL_SECONDS } from '../../core/device-login.ts'
import { Text } from '../../platform/http/wire.ts'
import type { Started } from './login.ts'

/** RFC 8628, 3.2, in camelCase (decisions 2). */
export const DeviceLoginAnswer = Type.Object({
  deviceCode: Type.String({ description: 'Secret of the device, for polling' }),
  userCode: Type.String({ description: 'The person compares this code with the page' }),
  verificationUri: Type.String({ description: 'Page on which the person enters the code' }),
  verificationUriComplete: Type.String({ description: 'The same page with the code filled in' }),
  expiresIn: Type.Integer({ description: 'Seconds' }),
  interval: Type.Integer({ description: 'Seconds between two polls' }),
})

export const DevicePoll = Type.Object({ deviceCode: Text(100) })

export function startedToJson({ deviceCode, userCode, expiresInSeconds }: Started, baseUrl: string) {
  const verificationUri = `${baseUrl}/device`
  return {
    ...{ deviceCode, userCode, verificationUri, verificationUriComplete: `${verificationUri}?code=${userCode}` },
    ...{ expiresIn: expiresInSeconds, interval: POLL_INTERVAL_SECONDS },
  }
}
