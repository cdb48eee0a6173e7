import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

export interface NameFiles {
  readonly hostsFile?: string
  readonly resolvFile?: string
}

/** The local resolution of a name. */
export interface LocalNames {
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
export function openLocalNames({ hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf' }: NameFiles): LocalNames {
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
