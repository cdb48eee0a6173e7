import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { request as requestTls, Agent as TlsAgent } from 'node:https'
import { signWebhook } from '../../../sdk/typescript/src/index.ts'
import type { Call, Command } from '../command.ts'
import { CliError } from '../errors.ts'
import { VERSION } from '../package.ts'
import { readProfile, saveProfile } from '../profile.ts'
import { connect } from '../service.ts'
import { followApp, isWanted, STREAM_OPTIONS } from '../stream.ts'

/** Interface, Delivery 2: a listener acknowledges within 2 seconds. */
const ANSWER_WITHIN_MS = 2_000

export const listen: Command = {
  name: 'listen',
  summary: "Forward an app's webhooks to a listener on this machine",
  options: {
    'forward-to': { value: 'address', summary: 'your listener, for example localhost:3000/webhooks' },
    secret: {
      value: 'secret',
      summary: 'signs the webhooks (TILLHOOK_WEBHOOK_SECRET; default: generated once and saved)',
    },
    ...STREAM_OPTIONS,
  },
  examples: [
    'tillhook listen --forward-to localhost:3000/webhooks',
    'tillhook listen --forward-to 3000 --events APPLICATION_SUBSCRIPTION_START',
    'tillhook listen --forward-to localhost:3000/webhooks --json',
  ],
  async run(call: Call) {
    const { options, terminal } = call
    const target = targetOf(options['forward-to'])
    const service = await connect(call)
    const secret = await secretOf(call)
    const ready = () => {
      terminal.say(`Ready. Your webhook signing secret is ${terminal.paint.bold(secret)}`)
      terminal.say(terminal.paint.dim(`Forwarding to ${target}. Press Ctrl-C to stop.`))
      terminal.json({ secret, forwardTo: target.href })
    }
    for await (const { event, body, cursor } of followApp(service, call, ready)) {
      if (!isWanted(event, options.events)) continue
      const answer = await post(target, body, await signWebhook(body, { secret }))
      const { eventType, resourceId, id } = event
      terminal.json({ id, eventType, resourceId, ...answer, cursor })
      const isGood = answer.status === 200
      const words = `${answer.status ?? answer.error}  ${answer.ms} ms`
      const time = terminal.paint.dim(new Date().toTimeString().slice(0, 8))
      terminal.say(`${time}  ${eventType}  ${resourceId}  → ${terminal.paint[isGood ? 'green' : 'red'](words)}`)
    }
  },
}

function targetOf(given: string | undefined): URL {
  if (given === undefined)
    throw new CliError('--forward-to is missing, for example --forward-to localhost:3000/webhooks', 2)
  const address = /^\d+(\/|$)/.test(given) ? `localhost:${given}` : given
  const url = /^https?:\/\//.test(address) ? address : `http://${address}`
  if (!URL.canParse(url)) throw new CliError(`--forward-to ${given} is not an address`, 2)
  return new URL(url)
}

/** The secret is the same at each start, so that the listener keeps its setting. */
async function secretOf({ options, env, terminal }: Call): Promise<string> {
  const given = options.secret ?? env.TILLHOOK_WEBHOOK_SECRET ?? (await readProfile(env)).webhookSecret
  if (given !== undefined) return given
  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`
  const failure = await saveProfile(env, { webhookSecret })
  if (failure !== undefined)
    terminal.note(`The secret is valid for this run only, because it was not saved (${failure}).`)
  return webhookSecret
}

interface Answer {
  readonly status?: number
  readonly error?: string
  readonly ms: number
}

/** A separate connection for each webhook, without a proxy. */
async function post(target: URL, body: string, headers: Record<string, string>): Promise<Answer> {
  const beganAt = performance.now()
  const isTls = target.protocol === 'https:'
  const answer = await new Promise<Omit<Answer, 'ms'>>(resolve => {
    const sent = (isTls ? requestTls : request)(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': `Tillhook-CLI/${VERSION}` },
      agent: isTls ? new TlsAgent({ rejectUnauthorized: false }) : new Agent(),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    sent.on('response', response => {
      response.resume()
      response.on('close', () => resolve({ status: response.statusCode ?? 0 }))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ error: wordsOf(error) }))
    sent.end(body)
  })
  return { ...answer, ms: Math.round(performance.now() - beganAt) }
}

function wordsOf({ name, code, message }: NodeJS.ErrnoException): string {
  if (name === 'AbortError' || name === 'TimeoutError') return 'no response within 2 s'
  return code === 'ECONNREFUSED' ? 'connection refused' : (code ?? message)
}
