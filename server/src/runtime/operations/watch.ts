import type { Watch } from '../../ports.ts'

/** One that tells all of these, in their order. */
export function everyWatch(watches: readonly Partial<Watch>[]): Watch {
  return {
    attempted: attempt => {
      for (const watch of watches) watch.attempted?.(attempt)
    },
    gaveUp: ended => {
      for (const watch of watches) watch.gaveUp?.(ended)
    },
    asked: call => {
      for (const watch of watches) watch.asked?.(call)
    },
    billed: changes => {
      for (const watch of watches) watch.billed?.(changes)
    },
    charged: charge => {
      for (const watch of watches) watch.charged?.(charge)
    },
    refunded: refund => {
      for (const watch of watches) watch.refunded?.(refund)
    },
  }
}
