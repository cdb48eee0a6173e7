import { Resolver } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface ResolverOptions extends NameFiles {
  /** Addresses with their ports. Default: those of the system. */
  readonly nameServers?: readonly string[]
}

/** Per question and name server. A lost packet or a dead first name server leaves time for the next one. */
const QUESTION = { timeout: 400, maxTimeout: 400, tries: 3 }
/**
 * For all questions about a name: c-ares asks each name server `tries` times. The limit leaves time to connect within the 2 s of an
 * attempt. A name server that answers too late has the answer cached for the next attempt.
 */
const ANSWERED_WITHIN_MS = 1_200
/** RFC 8305, 3 says 50 ms. A dial loses this time if a firewall drops the questions about one address family. */
const OTHER_FAMILY_WITHIN_MS = 100
/** No name server could be asked: each refused, or this machine had no file descriptor for a socket. c-ares reports both with this code. */
export const NO_NAME_SERVER = 'ECONNREFUSED'
/** The name server answered that the address does not exist. Any other error says nothing about the name. */
const NO_SUCH = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Resolves names by DNS without getaddrinfo, which holds a libuv thread for 10 s and more while a name server is silent: a few dead names
 * would block all others. Like getaddrinfo, reads /etc/hosts first and supports `localhost` and search domains.
 */
export function createResolve({ nameServers, ...files }: ResolverOptions = {}): Resolve {
  const local = openLocalNames(files)
  let known: { readonly resolver: Resolver; readonly of: string } | undefined

  /** A changed /etc/resolv.conf needs a new resolver, because a resolver reads the file once. */
  function resolver(version: string): Resolver {
    if (known?.of !== version) {
      known = { resolver: new Resolver(QUESTION), of: version }
      if (nameServers !== undefined) known.resolver.setServers(nameServers)
    }
    return known.resolver
  }

  /** A resolver created while /etc/resolv.conf could not be opened (EMFILE) would ask 127.0.0.1 for ever. */
  function forgetNobody(error: NodeJS.ErrnoException): never {
    if (error.code === NO_NAME_SERVER) known = undefined
    throw error
  }

  return async hostname => {
    const { addresses, names, version } = local.lookUp(hostname)
    if (addresses.length > 0) return addresses
    for (const name of names) {
      const found = await ask(resolver(version), name).catch(forgetNobody)
      if (found.length > 0) return found
    }
    return []
  }
}

/**
 * IPv4 first, since IPv6 may have no route. Silence about one family neither loses nor delays the other. A late answer is dropped; c-ares
 * ends such a question by itself and can only cancel all questions at once.
 */
function ask(resolver: Resolver, name: string): Promise<readonly string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
  const found: [four: readonly string[], six: readonly string[]] = [[], []]
  let failure: Error | undefined
  let timer = concludeIn(ANSWERED_WITHIN_MS, noAnswer(name))

  const questions = [resolver.resolve4(name), resolver.resolve6(name)].map((question, family) =>
    question.then(
      addresses => {
        found[family] = addresses
        clearTimeout(timer)
        timer = concludeIn(OTHER_FAMILY_WITHIN_MS)
      },
      error => {
        if (!NO_SUCH.has(error.code)) failure ??= error
      },
    ),
  )
  void Promise.all(questions).then(() => conclude(failure))

  /** Answers that arrived in time count, although Node runs timers first. */
  function concludeIn(ms: number, otherwise?: Error): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => conclude(otherwise)), ms)
  }

  function conclude(otherwise: Error | undefined): void {
    clearTimeout(timer)
    const addresses = found.flat()
    if (addresses.length === 0 && otherwise !== undefined) reject(otherwise)
    else resolve(addresses)
  }

  return promise
}

/** The error of c-ares when no name server answers in time. */
function noAnswer(name: string): Error {
  return Object.assign(new Error(`no name server has answered for ${name}`), { code: 'ETIMEOUT' })
}

/** Callers that ask for the same name at once share one question. */
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

interface NameFiles {
  readonly hostsFile?: string
  readonly resolvFile?: string
}

/** The local resolution of a name. */
interface LocalNames {
  lookUp(hostname: string): {
    /** From /etc/hosts or localhost. If present, no name server is asked. */
    readonly addresses: readonly string[]
    /** Otherwise the names to look up, in order. */
    readonly names: readonly string[]
    /** Changes when /etc/resolv.conf changes. */
    readonly version: string
  }
}

/** RFC 6761, 6.3: `localhost` and all names below it are loopback. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Reads /etc/hosts and the search domains of /etc/resolv.conf: see hosts(5) and resolv.conf(5). A changed file is read again. */
function openLocalNames({ hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf' }: NameFiles): LocalNames {
  const hosts = keepRead(hostsFile, parseHosts)
  const resolv = keepRead(resolvFile, parseResolv)
  return {
    lookUp: hostname => {
      const name = hostname.toLowerCase().replace(/\.$/, '')
      const { version, found: search } = resolv()
      const addresses = hosts().found.get(name) ?? (/(^|\.)localhost$/.test(name) ? LOOPBACK : [])
      return { addresses, names: hostname.endsWith('.') ? [name] : withSearched(name, search), version }
    },
  }
}

interface Search {
  readonly domains: readonly string[]
  /** A name with at least this many dots is looked up unchanged first, otherwise last. */
  readonly ndots: number
}

function withSearched(name: string, { domains, ndots }: Search): string[] {
  const searched = domains.map(domain => `${name}.${domain}`)
  return name.split('.').length > ndots ? [name, ...searched] : [...searched, name]
}

function parseHosts(text: string): Map<string, readonly string[]> {
  const hosts = new Map<string, readonly string[]>()
  for (const [address = '', ...names] of wordsOfLines(text)) {
    if (isIP(address) === 0) continue
    for (const name of names.map(each => each.toLowerCase())) hosts.set(name, [...(hosts.get(name) ?? []), address])
  }
  return hosts
}

/** The last line of a kind counts, and `domain` is a `search` for one. */
function parseResolv(text: string): Search {
  const lines = wordsOfLines(text)
  const [, ...domains] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? []
  const options = lines.flatMap(([word, ...rest]) => (word === 'options' ? rest : []))
  const ndots = Number(options.findLast(option => /^ndots:\d+$/.test(option))?.slice('ndots:'.length) ?? 1)
  return { domains: domains.map(domain => domain.replace(/\.$/, '')).filter(Boolean), ndots }
}

function wordsOfLines(text: string): string[][] {
  return text.split('\n').map(line =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  )
}

/** The parsed content of a file, read again after a change. A missing file is empty. */
function keepRead<Found>(path: string, parse: (text: string) => Found): () => { version: string; found: Found } {
  let kept: { version: string; found: Found } | undefined
  return () => {
    const stats = statSync(path, { throwIfNoEntry: false })
    const version = stats === undefined ? 'absent' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`
    if (kept?.version !== version)
      kept = { version, found: parse(stats === undefined ? '' : readFileSync(path, 'utf8')) }
    return kept
  }
}
