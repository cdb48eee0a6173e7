import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { v7 } from 'uuid'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../db/db.ts'
import { createVault } from '../vault/vault.ts'
import { createLogMail, createUnconfiguredMail } from './mail.ts'
import { findMailBacklog, recordMail, sendMails } from './outbox.ts'
import { createSmtpMail } from './smtp.ts'
import { findTestMail, sendTestMail } from './test-mail.ts'

const { url, drop } = await freshDatabase()
const db = openDatabase({ url })
const port = await freePort()
const mail = createSmtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'Tillhook <till@example.com>' })
after(async () => {
  mail.close()
  await db.close()
  await drop()
})
let now = new Date('2026-03-01T10:00:00Z')
const lines: string[] = []
const log = pino({ level: 'info' }, { write: line => void lines.push(line) })
const ports = { db, clock: { now: () => now }, newId: () => v7(), vault: createVault(Buffer.alloc(32, 1)), mail, log }
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

interface Received {
  readonly to: readonly string[]
  readonly text: string
}

/** A relay on the tests' port that accepts or rejects messages. */
async function openRelay({ rejects = false } = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (rejects) return done(Object.assign(new Error('not today'), { responseCode: 451 }))
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return { received, close: () => new Promise<void>(resolve => server.close(() => resolve())) }
}

const MESSAGE = { to: 'ann@example.com', subject: 'Welcome – Grüße', text: 'Open https://till.example/i?secret=abc\n' }
const waiting = async () => (await db.sql`select 1 from mails`).length

test('a recorded message is sent, and its content is deleted', async () => {
  const relay = await openRelay()
  await recordMail(ports, MESSAGE)
  assert.equal(await sendMails(ports), 1)
  await relay.close()
  assert.deepEqual(relay.received[0]?.to, ['ann@example.com'])
  assert.match(relay.received[0]?.text ?? '', /From: Tillhook <till@example\.com>[\s\S]*secret=(?:3D)?abc/)
  assert.equal(await waiting(), 0)
  assert.equal(await sendMails(ports), 0)
})

test('while the relay is unavailable a message is retried with growing delays, and is sent when the relay is back', async () => {
  await recordMail(ports, MESSAGE)
  for (const waitMs of [5_000, 30_000]) {
    assert.equal(await sendMails(ports), 1)
    assert.equal(await sendMails(ports), 0)
    pass(waitMs)
  }
  const relay = await openRelay()
  assert.equal(await sendMails(ports), 1)
  await relay.close()
  assert.equal(relay.received.length, 1)
  assert.equal(await waiting(), 0)
})

test('a message that the relay rejects is retried for a day, then given up and logged', async () => {
  const relay = await openRelay({ rejects: true })
  await recordMail(ports, MESSAGE)
  for (let attempts = 0; attempts < 100 && (await waiting()) > 0; attempts++) {
    await sendMails(ports)
    pass(30 * 60_000)
  }
  await relay.close()
  assert.equal(await waiting(), 0)
  assert.match(lines.at(-1) ?? '', /could not be sent in time and is deleted/)
})

test('if the relay accepts a message and drops the connection before the reply, the message is sent again with the same Message-ID', async () => {
  const received: string[] = []
  const server = createServer(socket => {
    socket.on('error', () => {})
    let text = ''
    socket.write('220 relay\r\n')
    socket.on('data', chunk => {
      text += chunk
      const isWhole = /^DATA\r\n[\s\S]*\r\n\.\r\n$/m.test(text)
      if (!isWhole) return void socket.write(/^DATA\r\n$/m.test(`${chunk}`) ? '354 go on\r\n' : '250 fine\r\n')
      received.push(text)
      // The first time without the answer, the second time after the answer.
      if (received.length === 1) socket.destroy()
      else socket.end('250 accepted\r\n')
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const mailId = v7()
  await recordMail(ports, MESSAGE, { mailId })
  assert.equal(await sendMails(ports), 1)
  assert.deepEqual([received.length, await waiting()], [1, 1])
  pass(5_000)
  await Promise.all([sendMails(ports), sendMails(ports)])
  server.close()
  await once(server, 'close')
  assert.deepEqual([received.length, await waiting()], [2, 0])
  for (const text of received) assert.ok(text.includes(`Message-ID: <${mailId}@example.com>`), text)
})

test('the table and the log of failures contain no readable message', async () => {
  await recordMail(ports, MESSAGE)
  await sendMails(ports)
  const [row] = await db.sql<{ text: string }[]>`select encode(sealed, 'escape') as text from mails`
  for (const text of [row?.text ?? 'nothing', ...lines]) assert.doesNotMatch(text, /ann@example|secret=abc|Welcome/)
  assert.ok(lines.length > 0)
  await db.sql`delete from mails`
})

test('two concurrent senders send a message once', async () => {
  const relay = await openRelay()
  await Promise.all([recordMail(ports, MESSAGE), recordMail(ports, { ...MESSAGE, to: 'bob@example.com' })])
  await Promise.all([sendMails(ports), sendMails(ports), sendMails(ports)])
  await relay.close()
  assert.deepEqual(relay.received.flatMap(({ to }) => to).sort(), ['ann@example.com', 'bob@example.com'])
})

test('a message of a transaction that rolled back is not sent', async () => {
  await assert.rejects(
    db.transaction(async tx => {
      await recordMail({ ...ports, db: tx }, MESSAGE)
      throw new Error('no')
    }),
  )
  assert.equal(await sendMails(ports), 0)
})

test('an address with another address or a line break adds no recipient and no header', async () => {
  const relay = await openRelay()
  const to = 'ann@example.com>\r\nbcc:<eve@example.com'
  await recordMail(ports, { ...MESSAGE, to, subject: 'Hello\r\nBcc: eve@example.com' })
  await sendMails(ports)
  await relay.close()
  assert.ok(relay.received.every(({ to, text }) => to.length === 1 && !/^bcc:/im.test(text)))
  await db.sql`delete from mails`
})

test('a live installation without a relay logs that mail is not configured, without the link, and sends the message once a relay is set', async () => {
  await recordMail(ports, MESSAGE)
  lines.length = 0
  await sendMails({ ...ports, mail: createUnconfiguredMail() })
  assert.match(lines.join(), /mail is not configured: set TILLHOOK_SMTP_URL and TILLHOOK_MAIL_FROM/)
  assert.doesNotMatch(lines.join(), /ann@example\.com|secret=abc/)
  pass(5_000)
  const relay = await openRelay()
  assert.equal(await sendMails(ports), 1)
  await relay.close()
  assert.equal(relay.received.length, 1)
  assert.equal(await waiting(), 0)
})

test('a development installation without a relay shows the link in the log', async () => {
  await recordMail(ports, MESSAGE)
  await sendMails({ ...ports, mail: createLogMail(log) })
  assert.match(lines.at(-1) ?? '', /ann@example\.com.*secret=abc/)
  assert.equal(await waiting(), 0)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: found } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return found
}

test('a message with HTML is sent as text and HTML, with the same Message-ID each time, and is stored as long as requested', async () => {
  await recordMail(ports, { ...MESSAGE, html: '<p>Grüße</p>', id: 'abc' }, { keptMs: 7 * 86_400_000 })
  pass(3 * 86_400_000)
  assert.equal(await sendMails(ports), 1)
  assert.equal(await waiting(), 1, 'the relay is away for three days, and the message waits')
  pass(3_600_000)
  const relay = await openRelay()
  assert.equal(await sendMails(ports), 1)
  await relay.close()
  assert.match(relay.received[0]?.text ?? '', /Message-ID: <abc@example\.com>/)
  assert.match(relay.received[0]?.text ?? '', /multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html/)
})

test('a test mail waits, shows the words of the relay that rejects it, is replaced by the next one, and is sent', async () => {
  const userId = v7()
  const asked = {
    userId,
    recipient: 'olga@example.com',
    name: 'Olga',
    brandName: 'Till',
    url: 'https://till.example/ops/system',
  }
  const found = async () => (await findTestMail(db.sql, userId)) ?? assert.fail('a test mail')
  await db.sql`delete from mails`
  await Promise.all([sendTestMail(ports, asked), sendTestMail(ports, asked)])
  assert.equal(await waiting(), 1, 'pressed twice')
  assert.partialDeepStrictEqual(await found(), { state: 'WAITING', attempts: 0 })
  const rejecting = await openRelay({ rejects: true })
  await sendMails(ports)
  await rejecting.close()
  const failing = await found()
  assert.partialDeepStrictEqual(failing, { state: 'WAITING', attempts: 1, answeredAt: now })
  assert.match(failing.answer ?? '', /451 not today/)
  assert.match((await findMailBacklog(db.sql)).lastError ?? '', /451/)
  await sendTestMail(ports, asked)
  const next = await found()
  assert.notEqual(next.mailId, failing.mailId)
  assert.deepEqual([await waiting(), next.answer], [1, undefined])
  const relay = await openRelay()
  await sendMails(ports)
  await relay.close()
  assert.match(relay.received[0]?.text ?? '', /To: olga@example\.com[\s\S]*Subject: Test mail from Till/)
  assert.match((await found()).answer ?? '', /^250 /)
  assert.deepEqual([(await found()).state, await waiting()], ['SENT', 0])
  await sendTestMail(ports, asked)
  pass(2 * 3_600_000)
  await sendMails({ ...ports, mail: createUnconfiguredMail() })
  const failed = await found()
  assert.deepEqual(
    [failed.state, failed.answer],
    ['FAILED', 'mail is not configured: set TILLHOOK_SMTP_URL and TILLHOOK_MAIL_FROM'],
  )
  assert.equal(await waiting(), 0)
})
