import type { Receipt } from './listener.ts'

/** An entry of the delivery history. Decisions 7, History. */
export interface HistoryEntry {
  readonly id: string
  readonly eventType: string
  readonly status: string
}

/** How the story ended. */
export interface Verdict {
  /** Distinct notifications that came. */
  readonly received: number
  /** Those of them with a valid signature each time they came. */
  readonly valid: number
  /** Expected notifications that were never accepted, and entries of the history that never came. */
  readonly missing: number
  /** Everything that is wrong, a sentence each. Empty: all is well. */
  readonly problems: readonly string[]
}

/** Compares what had to come, what came, and what the service says that it sent. No history: it was not read. */
export function judge(
  expected: readonly string[],
  receipts: readonly Receipt[],
  history: readonly HistoryEntry[] = [],
): Verdict {
  const ids = new Set(receipts.map(({ id }) => id))
  const invalid = new Set(receipts.filter(({ signatureValid }) => !signatureValid).map(({ id }) => id))
  const accepted = acceptedTypes(receipts)
  const lost = without(expected, accepted)
  const surplus = without(accepted, expected)
  const neverCame = history.filter(({ id }) => !ids.has(id))
  // What is lost and stands in the history as well is missing once.
  const missing = lost.length + without(typesOf(neverCame), lost).length
  const problems = [
    ...lost.map(type => `${type} did not come, or was not accepted.`),
    ...surplus.map(type => `${type} came once more than the story has it.`),
    ...(missing + surplus.length === 0 && accepted.join() !== expected.join() ? ['They came in another order.'] : []),
    ...receipts.filter(({ signatureValid }) => !signatureValid).map(({ id }) => `The signature of ${id} is not valid.`),
    ...neverCame.map(({ id, eventType }) => `${eventType} ${id} stands in the history, but did not come.`),
    ...history
      .filter(({ status }) => status !== 'DELIVERED')
      .map(({ id, status }) => `${id} is ${status} in the history.`),
  ]
  return { received: ids.size, valid: ids.size - invalid.size, missing, problems }
}

/** Each notification once, in the order in which they first came. */
function acceptedTypes(receipts: readonly Receipt[]): string[] {
  const accepted = new Set(receipts.filter(({ status }) => status === 200).map(({ id }) => id))
  return typesOf(receipts.filter(({ id, attempt }) => attempt === 1 && accepted.has(id)))
}

function typesOf(events: readonly { readonly eventType: string }[]): string[] {
  return events.map(({ eventType }) => eventType)
}

/** What is left of `all` when each of `taken` is taken away once. */
function without(all: readonly string[], taken: readonly string[]): string[] {
  const left = [...taken]
  return all.filter(type => {
    const at = left.indexOf(type)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
