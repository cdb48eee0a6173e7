import { lookup } from 'node:dns/promises'

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** Asks the system, as every other program here does: /etc/hosts and its caches included. */
export const resolveBySystem: Resolve = async hostname => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

/**
 * Lets callers that ask for the same name at once share one question. getaddrinfo blocks one of the few threads of
 * libuv for as long as a dead name server takes: a name then holds one of them, however many wait for it.
 */
export function shareQuestions(resolve: Resolve): Resolve {
  const asked = new Map<string, Promise<readonly string[]>>()
  return hostname => {
    const known = asked.get(hostname)
    if (known !== undefined) return known
    const answer = resolve(hostname).finally(() => asked.delete(hostname))
    asked.set(hostname, answer)
    return answer
  }
}
