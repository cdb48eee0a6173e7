import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Links that sign a visitor's browser in. */
export interface Doorway extends AsyncDisposable {
  /** A link that opens `path` of the platform with the session that `signIn` returns. */
  linkTo(name: string, signIn: () => Promise<string>, path: string): string
}

/**
 * A server of the demo, beside the platform, that sets the session cookie and redirects. Cookies do not know ports, so the platform on the
 * same host receives the cookie. The platform itself has no sign-in without a password.
 */
export async function openDoorway(baseUrl: string): Promise<Doorway> {
  const doors = new Map<string, { readonly signIn: () => Promise<string>; readonly path: string }>()
  const server = createServer(async (request, response) => {
    const door = doors.get(request.url ?? '')
    if (door === undefined) return void response.writeHead(404).end()
    const session = await door.signIn().catch(() => undefined)
    // Two sign-ins of the operator within half a minute would use the same code.
    if (session === undefined) return void response.writeHead(503).end('Open this link again in half a minute.')
    response.writeHead(303, {
      location: `${baseUrl}${door.path}`,
      'set-cookie': `tillhook=${session}; Path=/; HttpOnly; SameSite=Lax`,
      'cache-control': 'no-store',
    })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // Other users of this machine can reach the port, but cannot guess the links.
  const secret = randomBytes(12).toString('base64url')
  return {
    linkTo(name, signIn, path) {
      const door = `/${secret}/${name}`
      doors.set(door, { signIn, path })
      return `http://127.0.0.1:${port}${door}`
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
