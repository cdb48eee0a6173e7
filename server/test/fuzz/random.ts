/** Dice that fall the same way for the same seed. */
export interface Random {
  /** From 0, below `end`. */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** A generator for one request of a run: earlier requests do not influence it. */
export function randomOf(seed: number, request = 0): Random {
  // Mulberry32, by Tommy Ettinger: public domain, and good enough to choose with.
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(request + 1, 0x85ebca6b)) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: end => Math.floor(next() * end),
    chance: probability => next() < probability,
    pick: from => {
      if (from.length === 0) throw new Error('nothing to pick from')
      return from[Math.floor(next() * from.length)] as (typeof from)[number]
    },
  }
}
