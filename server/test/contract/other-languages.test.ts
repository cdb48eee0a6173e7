import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, type TestContext, test } from 'node:test'
import { billingEvent, newHook, newListening, openListener, openWebhooks, type Webhooks } from '../support/webhooks.ts'

/*
 * Independent programs in other languages verify the signatures of a real delivery. They follow only the interface and decisions 7.
 * hooks/rotate-secret.test.ts tests the packages `standardwebhooks` and `svix`; the SDKs' tests those of Python and Java.
 */

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

/** The input of a verification. Each program reads the body from stdin and the rest from its arguments. */
interface Delivery {
  readonly secret: string
  readonly id: string
  readonly timestamp: string
  readonly body: string
}

/** Each program prints Service-Webhook-Signature and webhook-signature, one per line. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  python3: [
    '-c',
    `
import base64, hashlib, hmac, sys
secret, id, timestamp = (text.encode() for text in sys.argv[1:])
body = sys.stdin.buffer.read()
print(base64.b64encode(hmac.new(secret, body, hashlib.sha1).digest()).decode())
signed = id + b'.' + timestamp + b'.' + body
print('v1,' + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode())`,
  ],
  perl: [
    '-e',
    `
use strict; use warnings;
use Digest::SHA qw(hmac_sha1 hmac_sha256);
use MIME::Base64 qw(encode_base64);
my ($secret, $id, $timestamp) = @ARGV;
binmode STDIN; local $/; my $body = <STDIN>;
print encode_base64(hmac_sha1($body, $secret), ''), "\\n";
print 'v1,', encode_base64(hmac_sha256("$id.$timestamp.$body", $secret), ''), "\\n";`,
  ],
}

const SECRETS = ['plain', 'ключ with "quotes" \\ and $more', 'x'.repeat(255)]

for (const [program, script] of Object.entries(PROGRAMS)) {
  test(`${program} makes both signatures of a delivery from its bytes and the secret`, async t => {
    mustBeThere(program)
    for (const secret of SECRETS) {
      const { delivery, signatures } = await deliver(t, secret)
      const args = [...script, delivery.secret, delivery.id, delivery.timestamp]
      const printed = execFileSync(program, args, { input: delivery.body, encoding: 'utf8' })
      assert.deepEqual(printed.trim().split('\n'), signatures, secret)
    }
  })
}

test('openssl makes both signatures of a delivery from its bytes and the secret', async t => {
  mustBeThere('openssl')
  for (const secret of SECRETS) {
    const { delivery, signatures } = await deliver(t, secret)
    const key = `hexkey:${Buffer.from(secret).toString('hex')}`
    const hmac = (digest: string, input: string) =>
      execFileSync('openssl', ['dgst', `-${digest}`, '-mac', 'HMAC', '-macopt', key, '-binary'], { input })
    const sha256 = hmac('sha256', `${delivery.id}.${delivery.timestamp}.${delivery.body}`).toString('base64')
    assert.deepEqual([hmac('sha1', delivery.body).toString('base64'), `v1,${sha256}`], signatures, secret)
  }
})

/** A real delivery to a real listener: the body and the two signature headers. */
async function deliver(t: TestContext, secret: string): Promise<{ delivery: Delivery; signatures: string[] }> {
  const listener = await openListener(t)
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url, secret })
  await webhooks.record(billingEvent(webhooks, app))
  await webhooks.sender().runOnce()
  const [received] = listener.received
  assert.ok(received)
  const header = (name: string) => String(received.headers[name])
  const delivery = { secret, id: header('webhook-id'), timestamp: header('webhook-timestamp'), body: received.text }
  return { delivery, signatures: [header('service-webhook-signature'), header('webhook-signature')] }
}

/** The required programs. The test fails if a program is missing. */
function mustBeThere(program: string): void {
  try {
    execFileSync(program, [program === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' })
  } catch {
    assert.fail(`${program} is not on this machine. Install it: the signatures are to be checked by it.`)
  }
}
