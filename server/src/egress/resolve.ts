import { Resolver } from 'node:dns/promises'
import { type NameFiles, openLocalNames } from './local-names.ts'

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface ResolverOptions extends NameFiles {
  /** Addresses with their ports. Default: those of the system. */
  readonly nameServers?: readonly string[]
}

/**
 * Three questions that wait so long end within the 2 s of an attempt, also where a look at the clock comes as late as the first one's
 * does. A lost packet, or a first name server that is away, leaves time for the next question; what a name server
 * looked up too slowly for one it has at hand for the next.
 */
const QUESTION = { timeout: 400, maxTimeout: 400, tries: 3 }
/** The name server was heard, and knows no such address. Anything else says nothing of the name. */
const NO_SUCH = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Asks name servers by itself, as many questions at once as there are: getaddrinfo holds a thread of libuv for as long as a
 * name server is silent (10 s and more), so that a few names whose name servers are dead would hold up every other name. What getaddrinfo
 * looks at besides is looked at too: /etc/hosts first, `localhost`, and the search domains.
 */
export function createResolve({ nameServers, ...files }: ResolverOptions = {}): Resolve {
  const local = openLocalNames(files)
  let known: { readonly resolver: Resolver; readonly of: string } | undefined

  /** A new one where /etc/resolv.conf has changed: it is read when one is made. */
  function resolver(version: string): Resolver {
    if (known?.of !== version) {
      known = { resolver: new Resolver(QUESTION), of: version }
      if (nameServers !== undefined) known.resolver.setServers(nameServers)
    }
    return known.resolver
  }

  return async hostname => {
    const { addresses, names, version } = local.lookUp(hostname)
    if (addresses.length > 0) return addresses
    for (const name of names) {
      const found = await ask(resolver(version), name)
      if (found.length > 0) return found
    }
    return []
  }
}

/** IPv4 first: where there is no way out by IPv6, nothing is lost. Silence about one family does not lose the other. */
async function ask(resolver: Resolver, name: string): Promise<readonly string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  const failure = answers.find(answer => answer.status === 'rejected' && !NO_SUCH.has(answer.reason.code))
  if (found.length === 0 && failure?.status === 'rejected') throw failure.reason
  return found
}

/** Lets callers that ask for the same name at once share one question. */
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
