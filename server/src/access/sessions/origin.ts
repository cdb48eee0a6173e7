import type { Origin } from './sign-in.ts'

/** Enough to distinguish a phone from a computer. A user agent can be arbitrarily long. */
const LONGEST_AGENT = 200

/** Headers are Latin-1 on the wire and may contain anything. The result is plain text that pages can show. */
export function originOf(address: string, headers: Readonly<Record<string, string | string[] | undefined>>): Origin {
  const agent = headers['user-agent']
  const text = typeof agent === 'string' ? agent : ''
  return { address, agent: text.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_AGENT) }
}
