/** Chance by seed: the same seed gives the same sequence, for ever and on every machine. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** An integer from 0 to below n. */
  below(n: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of them, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T
}

export function createRandom(seed: string): Random {
  const next = sfc32(seed)
  const below = (n: number) => Math.floor(next() * n)
  return {
    next,
    below,
    chance: probability => next() < probability,
    pick: list => list[below(list.length)] as (typeof list)[number],
    weighted: list => {
      let at = next() * list.reduce((sum, { weight }) => sum + weight, 0)
      for (const one of list) {
        at -= one.weight
        if (at < 0) return one
      }
      return list.at(-1) as (typeof list)[number]
    },
  }
}

/** Chris Doty-Humphrey's Small Fast Counting generator of 32 bits, begun with an FNV-1a hash of the seed. */
function sfc32(seed: string): () => number {
  let hash = 0x811c9dc5
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  let [a, b, c, counter] = [hash | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1]
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4294967296
  }
  for (let warm = 0; warm < 12; warm++) next()
  return next
}

/** UUIDv7s of one fixed day: they sort in the order of their making, and their notifications lie in one partition. */
export function idsOf(random: Random, day: Date): () => string {
  let made = 0
  const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0')
  return () => {
    const at = hex(day.getTime() + made++, 12)
    const [a, b, c] = [random.below(0x1000), 0x8000 + random.below(0x4000), random.below(0x1000000)]
    return `${at.slice(0, 8)}-${at.slice(8)}-7${hex(a, 3)}-${hex(b, 4)}-${hex(random.below(0x1000000), 6)}${hex(c, 6)}`
  }
}
