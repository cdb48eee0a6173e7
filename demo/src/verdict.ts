import type { Receipt } from './listener.ts'

/** An entry of the delivery history. Decisions 7, History. */
export interface HistoryEntry {
  readonly id: string
  readonly eventType: string
  readonly status: string
}

/** The result of the story. */
export interface Verdict {
  /** Distinct notifications received. */
  readonly received: number
  /** Notifications whose every delivery had a valid signature. */
  readonly valid: number
  /** Expected notifications that the listener never accepted, and history entries that never arrived. */
  readonly missing: number
  /** One sentence per problem. Empty if the story passed. */
  readonly problems: readonly string[]
}

/** Compares the expected notifications, the received notifications and the service's delivery history, if given. */
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
  // A lost notification that the history lists counts once.
  const missing = lost.length + without(typesOf(neverCame), lost).length
  const problems = [
    ...lost.map(type => `${type} did not come, or was not accepted.`),
    ...surplus.map(type => `${type} came once more than the story has it.`),
    ...(missing + surplus.length === 0 && accepted.join() !== expected.join() ? ['They came in another order.'] : []),
    ...receipts.filter(({ signatureValid }) => !signatureValid).map(({ id }) => `The signature of ${id} is not valid.`),
    ...neverCame.map(({ id, eventType }) => `${eventType} ${id} is in the history, but did not arrive.`),
    ...history
      .filter(({ status }) => status !== 'DELIVERED')
      .map(({ id, status }) => `${id} is ${status} in the history.`),
  ]
  return { received: ids.size, valid: ids.size - invalid.size, missing, problems }
}

/** Each notification once, in order of first arrival. */
function acceptedTypes(receipts: readonly Receipt[]): string[] {
  const accepted = new Set(receipts.filter(({ status }) => status === 200).map(({ id }) => id))
  return typesOf(receipts.filter(({ id, attempt }) => attempt === 1 && accepted.has(id)))
}

function typesOf(events: readonly { readonly eventType: string }[]): string[] {
  return events.map(({ eventType }) => eventType)
}

/** Removes each value of `taken` from `all` once. */
function without(all: readonly string[], taken: readonly string[]): string[] {
  const left = [...taken]
  return all.filter(type => {
    const at = left.indexOf(type)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
