import { signHmacSha1, signStandardWebhook } from '../../server/src/core/signature.ts'
import { CALL_CASES } from './sdk-call-cases.ts'

/** A webhook, and the answer of an SDK's verification. */
interface WebhookCase {
  readonly name: string
  readonly secrets: readonly string[]
  readonly scheme?: 'standard' | 'original'
  readonly toleranceSeconds?: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** The test adds `webhook-timestamp`, so many seconds from its clock, and `webhook-signature`, keyed by the first secret. */
  readonly signedSecondsFromNow?: number
  readonly expect: { readonly eventType: string } | { readonly code: string; readonly message?: string }
}

const SECRET = 'whsec_dGlsbGhvb2stc2RrLXRlc3Qtc2VjcmV0'
const OLD = 'whsec_b2xkLXNlY3JldA=='
const PLAIN = 'a secret of letters'
const ID = '019a3c7e-5c00-7000-8000-0000000000d1'
const TIMESTAMP = 1_769_851_816
/** The signatures of the file are years old. */
const ANY_AGE = { toleranceSeconds: 10_000_000_000 }
const BODY = `{"id":"${ID}","eventType":"TEST","resource":"/shops/Käse 🧀"}`
const IS_TEST = { eventType: 'TEST' }

/** The conformance suite of the SDKs: contract/sdk-cases.json. */
export function sdkCases() {
  return {
    about:
      'Every SDK passes every case. sdk/conformance.ts answers the calls by script and judges their outcome; each SDK verifies the webhooks.',
    webhooks: webhookCases(),
    calls: CALL_CASES,
  }
}

function webhookCases(): WebhookCase[] {
  const good = signed([SECRET])
  const [asText = '', decoded = ''] = good['webhook-signature'].split(' ')
  const original = { 'Service-Webhook-Signature': signHmacSha1(PLAIN, BODY) }
  const old = { ...signed([OLD]), 'webhook-timestamp': '1769850000' }
  const bad = (code: string, message?: string) => ({ code, ...(message !== undefined && { message }) })
  const cases: (Partial<WebhookCase> & Pick<WebhookCase, 'name'>)[] = [
    { name: 'both signatures of a whsec_ secret' },
    { name: 'only the signature keyed by the decoded secret', headers: { ...good, 'webhook-signature': decoded } },
    { name: 'only the signature keyed by the secret as text', headers: { ...good, 'webhook-signature': asText } },
    { name: 'a secret of letters', secrets: [PLAIN], headers: signed([PLAIN]) },
    { name: 'a secret of several bytes a letter', secrets: ['Schlüssel 🔑'], headers: signed(['Schlüssel 🔑']) },
    { name: 'a whsec_ secret that is no base64', secrets: ['whsec_!!'], headers: signed(['whsec_!!']) },
    { name: 'header names in capitals', headers: capitals(good) },
    { name: 'the old secret signs while the listener knows both', secrets: [SECRET, OLD], headers: signed([OLD]) },
    { name: 'both secrets sign and the listener knows the old one', secrets: [OLD], headers: signed([SECRET, OLD]) },
    {
      name: 'signatures of other versions and unreadable ones are skipped',
      headers: { ...good, 'webhook-signature': `v1a,AAAA v2,${asText.slice(3)} v1,!! v1, ${asText}` },
    },
    {
      name: 'an event type that is newer than the SDK',
      body: '{"eventType":"NEWER"}',
      headers: signed([SECRET], '{"eventType":"NEWER"}'),
      expect: { eventType: 'NEWER' },
    },

    { name: 'another secret', secrets: [OLD], expect: bad('BAD_SIGNATURE', 'Check the secret') },
    {
      name: 'a body that was parsed and serialised again',
      body: JSON.stringify(JSON.parse(BODY), null, 2),
      expect: bad('BAD_SIGNATURE', 'serialised again'),
    },
    { name: 'another byte in the body', body: `${BODY} `, expect: bad('BAD_SIGNATURE') },
    { name: 'another id', headers: { ...good, 'webhook-id': 'other' }, expect: bad('BAD_SIGNATURE') },
    { name: 'another timestamp', secrets: [OLD], headers: old, expect: bad('BAD_SIGNATURE') },
    {
      name: 'the beginning of the signature',
      headers: { ...good, 'webhook-signature': `v1,${asText.slice(3, 11)}` },
      expect: bad('BAD_SIGNATURE'),
    },
    { name: 'an empty signature', headers: { ...good, 'webhook-signature': 'v1,' }, expect: bad('BAD_SIGNATURE') },
    {
      name: 'a signature without its version',
      headers: { ...good, 'webhook-signature': asText.slice(3) },
      expect: bad('BAD_SIGNATURE'),
    },
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap(header => [
      { name: `no ${header}`, headers: without(good, header), expect: bad('HEADER_MISSING', header) },
      { name: `an empty ${header}`, headers: { ...good, [header]: '' }, expect: bad('HEADER_MISSING', header) },
    ]),
    {
      name: 'only the original signature: no fall back to the scheme without a timestamp',
      headers: { 'Service-Webhook-Signature': signHmacSha1(SECRET, BODY) },
      expect: bad('HEADER_MISSING', 'webhook-id'),
    },
    { name: 'a body that is no JSON', body: 'hello', headers: signed([SECRET], 'hello'), expect: bad('BAD_BODY') },
    { name: 'a body that is not an object', body: '[]', headers: signed([SECRET], '[]'), expect: bad('BAD_BODY') },
    { name: 'an empty body', body: '', headers: signed([SECRET], ''), expect: bad('BAD_BODY') },

    { name: 'years old', toleranceSeconds: 300, expect: bad('TOO_OLD', 'seconds before this clock') },
    ...['soon', '1e9', '-5', '0x10', '17698518.5'].map(timestamp => ({
      name: `the timestamp ${timestamp}`,
      headers: { ...good, 'webhook-timestamp': timestamp },
      expect: bad('TOO_OLD'),
    })),
    ...[-290, 290].map(seconds => fresh(seconds, { expect: IS_TEST })),
    ...[-310, 310, -600, 600].map(seconds => fresh(seconds, { expect: bad('TOO_OLD', "Check this machine's clock") })),
    ...[-600, 600].map(seconds => fresh(seconds, { toleranceSeconds: 700, expect: IS_TEST })),

    { name: 'the original scheme', scheme: 'original', secrets: [PLAIN], headers: original },
    {
      name: 'the original scheme: the old secret',
      scheme: 'original',
      secrets: [SECRET, PLAIN],
      headers: original,
    },
    {
      name: 'the original scheme: another byte in the body',
      scheme: 'original',
      secrets: [PLAIN],
      body: `${BODY} `,
      headers: original,
      expect: bad('BAD_SIGNATURE', 'serialised again'),
    },
    {
      name: 'the original scheme: no header',
      scheme: 'original',
      expect: bad('HEADER_MISSING', 'service-webhook-signature'),
    },
  ]
  return cases.map(one => ({ secrets: [SECRET], ...ANY_AGE, body: BODY, headers: good, expect: IS_TEST, ...one }))
}

function signed(secrets: readonly string[], body = BODY) {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(TIMESTAMP),
    'webhook-signature': signStandardWebhook(secrets, { id: ID, timestamp: TIMESTAMP, body }),
  }
}

function fresh(seconds: number, rest: Pick<WebhookCase, 'toleranceSeconds' | 'expect'>) {
  const tolerance = rest.toleranceSeconds ?? 300
  const name = `signed ${Math.abs(seconds)} s ${seconds < 0 ? 'ago' : 'ahead'}, tolerance ${tolerance} s`
  return { name, signedSecondsFromNow: seconds, headers: { 'webhook-id': ID }, ...rest, toleranceSeconds: tolerance }
}

function capitals(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
}

function without(headers: Readonly<Record<string, string>>, name: string) {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name))
}
