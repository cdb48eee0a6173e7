import { PROBLEMS } from '../../server/src/platform/http/problems.ts'
import { eventBodies } from '../../server/src/runtime/openapi/webhooks.ts'
import { assertionVectors } from './assertions.ts'
import { sdkCases } from './sdk-cases.ts'
import { signatureVectors } from './signatures.ts'

/** The generated files of contract/ by path. `openApi` is the document that a running service serves. */
export function contractFiles(openApi: string): Map<string, string> {
  const bodies = eventBodies()
  return new Map([
    ['openapi.json', openApi],
    ['errors.json', print(PROBLEMS)],
    ['assertions.json', print(assertionVectors())],
    ['signatures.json', print(signatureVectors(bodies))],
    ['sdk-cases.json', print(sdkCases())],
    // The signed bytes: no line feed at the end.
    ...[...bodies].map(([eventType, body]) => [`events/${eventType}.json`, body] as const),
  ])
}

function print(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
