import type { BrowserContext } from 'playwright-core'

/** Collects what goes wrong on every page of a context, and what leaves our own address. */
export function watchPage(context: BrowserContext, origin: string): readonly string[] {
  const complaints: string[] = []
  context.on('console', message => {
    // Said of every 404 as well; of what a page loads it is told below, of the page itself the test knows.
    if (message.text().startsWith('Failed to load resource')) return
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`)
  })
  context.on('weberror', error => complaints.push(`script: ${error.error().message}`))
  context.on('request', request => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:') complaints.push(`elsewhere: ${request.url()}`)
  })
  context.on('requestfailed', request => {
    // A page that is left is left with its requests.
    if (request.isNavigationRequest() || request.failure()?.errorText === 'net::ERR_ABORTED') return
    complaints.push(`not loaded: ${request.url()} ${request.failure()?.errorText}`)
  })
  context.on('response', response => {
    if (response.request().isNavigationRequest() || response.status() < 400) return
    complaints.push(`not loaded: ${response.url()} ${response.status()}`)
  })
  return complaints
}
