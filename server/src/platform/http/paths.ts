import type { AnyRoute } from './route.ts'

/** The methods at the most specific path that fits, for 405 and Allow. Empty: unknown path. */
export function createPathTable(
  routes: readonly Pick<AnyRoute, 'method' | 'path'>[],
): (url: string) => readonly string[] {
  const rows = routes.map(({ method, path }) => ({ method, segments: segmentsOf(path) }))
  return url => {
    const segments = segmentsOf(url.split('?', 1)[0] ?? '')
    const fitting = rows.filter(row => fits(row.segments, segments))
    const first = fitting.map(row => rankOf(row.segments)).sort()[0]
    const methods = fitting.filter(row => rankOf(row.segments) === first).map(row => row.method)
    return [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort()
  }
}

/** Sorts paths: a fixed segment before a parameter, from left to right, as the router does. */
function rankOf(segments: readonly string[]): string {
  return segments.map(part => (part.startsWith(':') ? '1' : '0')).join('')
}

/** The paths with a parameter where another path has a fixed segment. */
export function overlappingPaths(paths: readonly string[]): ReadonlySet<string> {
  const all = [...new Set(paths)].map(path => ({ path, segments: segmentsOf(path) }))
  const isOverlapped = (one: (typeof all)[number]) =>
    all.some(({ path, segments }) => path !== one.path && fits(one.segments, segments))
  return new Set(all.filter(isOverlapped).map(({ path }) => path))
}

function segmentsOf(path: string): string[] {
  return path.replace(/(.)\/$/, '$1').split('/')
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, at) => part.startsWith(':') || part === segments[at])
  )
}
