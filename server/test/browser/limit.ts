import type { BrowserContext } from 'playwright-core'

/**
 * Fails where something takes longer than it ever may, and says where it stood: without that, what waits for something that never
 * comes holds up a whole run, and nobody learns what it was.
 */
export async function withinLimit<T>(
  work: Promise<T>,
  { ms, where }: { readonly ms: number; readonly where: () => string },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${ms / 1_000} s; ${where()}`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const LAST = 12

/** Notes what the pages of a context asked for. Gives where they are by now, and the last requests with their answers. */
export function followPages(context: BrowserContext): () => string {
  const asked: { readonly request: object; line: string }[] = []
  const note = (request: object, outcome: string) => {
    const found = asked.find(one => one.request === request)
    if (found !== undefined) found.line += ` → ${outcome}`
  }
  context.on('request', request => {
    asked.push({ request, line: `${request.method()} ${request.url()}` })
    if (asked.length > LAST) asked.shift()
  })
  context.on('response', response => note(response.request(), String(response.status())))
  context.on('requestfailed', request => note(request, request.failure()?.errorText ?? 'failed'))
  return () => {
    const pages = context.pages().map(page => page.url())
    return [`at ${pages.join(' and ') || 'no page'}, after:`, ...asked.map(({ line }) => line)].join('\n  ')
  }
}
