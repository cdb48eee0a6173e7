/** Throws if our own code has a bug. Invalid input is a rejection, and an unavailable dependency is a thrown error. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message)
}

/** A state that the code excludes. The request answers 500, or the row is quarantined; the failure is never swallowed. */
export class AssertionFailure extends Error {
  override name = 'AssertionFailure'
}

/** Marks the end of an exhaustive choice: a case left out does not compile. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${JSON.stringify(value)}`)
}
