import type { Origin } from './sign-in.ts'

/** Enough to tell a phone from a computer; what a browser says of itself has no end. */
const LONGEST_AGENT = 200

/** Headers are Latin-1 on the wire, and may hold anything: what is shown to people later is plain text. */
export function originOf(address: string, headers: Readonly<Record<string, string | string[] | undefined>>): Origin {
  const agent = headers['user-agent']
  const text = typeof agent === 'string' ? agent : ''
  return { address, agent: text.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_AGENT) }
}
