import type { AnyPage, Shown } from './page.ts'

type Wishes = Pick<Shown, 'formAction' | 'sources'> & Pick<AnyPage, 'mayBeFramed'>

/** Headers of every page, beside those of every answer. */
export function pageHeaders(wishes: Wishes = {}): Record<string, string> {
  return {
    'content-security-policy': policyOf(wishes),
    'x-frame-options': wishes.mayBeFramed ? 'SAMEORIGIN' : 'DENY',
    'x-content-type-options': 'nosniff',
    // Not `no-referrer`: browsers would then call the origin of our own forms `null`.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** Nothing inline, nothing from elsewhere but what a page names, and no frame around it but where a page may have one of ours. */
function policyOf({ formAction = [], sources = {}, mayBeFramed }: Wishes): string {
  const directives: readonly (readonly string[])[] = [
    ['default-src', "'none'"],
    ['style-src', "'self'"],
    ['script-src', "'self'", ...(sources['script-src'] ?? [])],
    ['img-src', "'self'", 'data:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...(sources['connect-src'] ?? [])],
    ...(sources['frame-src'] ? [['frame-src', ...sources['frame-src']]] : []),
    ['form-action', "'self'", ...new Set(formAction.map(originOf).filter(isPlain))],
    ['base-uri', "'none'"],
    ['frame-ancestors', mayBeFramed ? "'self'" : "'none'"],
  ]
  return directives.map(words => words.join(' ')).join('; ')
}

/** Of an address with a scheme of its own, as apps on a phone have, the scheme is all there is. */
function originOf(url: string): string {
  const { origin, protocol } = new URL(url)
  return origin === 'null' ? protocol : origin
}

/** A host may hold `;`, which would end the directive and begin another. */
function isPlain(origin: string): boolean {
  return /^[a-z0-9+.:/[\]-]+$/i.test(origin)
}
