/** Texts that were made before, each by the name of what it was made of. */
export interface KeptTexts {
  find(name: string): string | undefined
  /** From the second time on that it is told of a name: most of what is read only once is not worth the room. */
  keep(name: string, text: string): void
  /** From now on names mean something else. */
  forgetAll(): void
}

interface Kept {
  readonly name: string
  readonly text: string
}

/** About as many as there is room for. Of twice as many, each in turn, none is still known when it comes again. */
const NAMES_SEEN = 16_384

/**
 * Keeps as many characters as this, names and all, and no more: those that were asked for last. They are of two generations. What is
 * asked for goes to the younger one; when that has half of what may be kept, it becomes the older one, and the older one is dropped.
 */
export function keepTexts(characters: number): KeptTexts {
  let [young, old] = [new Map<string, Kept>(), new Map<string, Kept>()]
  let size = 0
  let [seen, seenBefore] = [new Set<number>(), new Set<number>()]

  const isNew = (name: string) => {
    const hash = hashOf(name)
    if (seen.has(hash) || seenBefore.has(hash)) return false
    if (seen.size === NAMES_SEEN) [seen, seenBefore] = [new Set(), seen]
    seen.add(hash)
    return true
  }
  const add = (kept: Kept) => {
    if (young.has(kept.name)) return
    size += kept.name.length + kept.text.length
    if (size > characters / 2) {
      ;[young, old] = [new Map(), young]
      size = kept.name.length + kept.text.length
    }
    young.set(kept.name, kept)
  }
  return {
    find: name => {
      const known = young.get(name)
      if (known) return known.text
      const older = old.get(name)
      if (older) add(older)
      return older?.text
    },
    keep: (name, text) => {
      if (!isNew(name)) add({ name: ofItsOwn(name), text: ofItsOwn(text) })
    },
    forgetAll: () => {
      ;[young, old] = [new Map(), new Map()]
      size = 0
    },
  }
}

/** V8 keeps a text as the pieces that it was put together from, and with each piece all that it was cut out of. */
const ofItsOwn = (text: string) => Buffer.from(text).toString()

/** FNV-1a, of 32 bits. Two names of one hash cost room, and nothing else. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
