/** Said of every statement after the one that failed: it is never the cause. */
const TRANSACTION_ABORTED = '25P02'

/**
 * Several pieces of work in one transaction at once: their statements travel together. Unlike `Promise.all` it waits for all
 * of them before it fails, so that nothing is sent any more when the transaction rolls back.
 */
export async function together<T extends readonly unknown[]>(
  work: {
    readonly [K in keyof T]: PromiseLike<T[K]>
  },
): Promise<T> {
  const settled = await Promise.allSettled(work)
  const failed = settled.filter(result => result.status === 'rejected').map(({ reason }) => reason)
  if (failed.length > 0) throw failed.find(reason => reason?.code !== TRANSACTION_ABORTED) ?? failed[0]
  return settled.map(result => (result.status === 'fulfilled' ? result.value : undefined)) as unknown as T
}
