import { PROBLEMS } from '../../server/src/platform/http/problems.ts'
import { assertionVectors } from './assertions.ts'
import { eventBodies } from './events.ts'
import { signatureVectors } from './signatures.ts'

/**
 * Every file of contract/ but its README, by its path there. Made from the code, so that the code cannot leave them behind.
 * `openApi` is the document as a running service gives it (server/test/contract/served-openapi.ts).
 */
export function contractFiles(openApi: string): Map<string, string> {
  const bodies = eventBodies()
  return new Map([
    ['openapi.json', openApi],
    ['errors.json', print(PROBLEMS)],
    ['assertions.json', print(assertionVectors())],
    ['signatures.json', print(signatureVectors(bodies))],
    // The exact bytes, without a line feed at the end: what is signed is these.
    ...[...bodies].map(([eventType, body]) => [`events/${eventType}.json`, body] as const),
  ])
}

function print(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
