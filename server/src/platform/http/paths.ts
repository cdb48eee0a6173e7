import type { AnyRoute } from './route.ts'

/** Which methods the routes have at an address, for 405 and its Allow. None: there is nothing there. */
export function createPathTable(
  routes: readonly Pick<AnyRoute, 'method' | 'path'>[],
): (url: string) => readonly string[] {
  const rows = routes.map(({ method, path }) => ({ method, segments: segmentsOf(path) }))
  return url => {
    const segments = segmentsOf(url.split('?', 1)[0] ?? '')
    const methods = rows.filter(row => fits(row.segments, segments)).map(row => row.method)
    return [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort()
  }
}

function segmentsOf(path: string): string[] {
  return path.replace(/(.)\/$/, '$1').split('/')
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, at) => part.startsWith(':') || part === segments[at])
  )
}
