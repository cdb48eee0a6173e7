import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

/** The addresses of a name in one family; 'unknown' where there is no such name, 'silent' for no answer at all. */
export type Answer = readonly string[] | 'unknown' | 'silent'

export interface NameServer {
  /** In the form that a resolver expects. */
  readonly address: string
  /** The names that were asked for, as `name A` or `name AAAA`. */
  readonly asked: string[]
}

const TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])
const HEADER_BYTES = 12
const NXDOMAIN = 3

/** A name server on a free loopback port, gone when the test ends. RFC 1035, 4.1. */
export async function openNameServer(
  t: TestContext,
  answerOf: (name: string, type: string) => Answer | Promise<Answer>,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', async (query: Buffer, { port, address }: RemoteInfo) => {
    const { name, type, end } = readQuestion(query)
    asked.push(`${name} ${type}`)
    const answer = await answerOf(name, type)
    if (answer === 'silent') return
    socket.send(
      Buffer.concat([headerOf(query, answer), query.subarray(HEADER_BYTES, end), ...recordsOf(answer)]),
      port,
      address,
    )
  })
  t.after(() => void socket.close())
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function readQuestion(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: TYPES.get(query.readUInt16BE(at + 1)) ?? '?', end: at + 5 }
}

function headerOf(query: Buffer, answer: Exclude<Answer, 'silent'>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8180 | (answer === 'unknown' ? NXDOMAIN : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answer === 'unknown' ? 0 : answer.length, 6)
  return header
}

/** Answers for the requested name, with a TTL of zero. */
function recordsOf(answer: Exclude<Answer, 'silent'>): Buffer[] {
  if (answer === 'unknown') return []
  return answer.map(address => {
    const bytes = bytesOf(address)
    const type = bytes.length === 4 ? 1 : 28
    return Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])
  })
}

/** IPv6 in the long spelling only. */
function bytesOf(address: string): number[] {
  if (!address.includes(':')) return address.split('.').map(Number)
  return address.split(':').flatMap(part => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff])
}
