import { setTimeout as wait } from 'node:timers/promises'
import {
  createTillhook,
  type Tillhook,
  TillhookConnectionError,
  TillhookError,
} from '../../sdk/typescript/src/index.ts'
import { CliError } from './errors.ts'
import { VERSION } from './package.ts'
import type { Terminal } from './terminal.ts'

const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'Mac OS', linux: 'Linux', win32: 'Windows' }

/** RFC 8628: the person approves in a browser, on this machine or another. Returns the token of a session of that person. */
export async function logInByBrowser(terminal: Terminal, url: string): Promise<string> {
  const tillhook = createTillhook({ baseUrl: url, token: '', retries: 1, fetch: fetchAsCommandLine })
  const login = await tillhook.startDeviceLogin()
  terminal.note(`Your code is ${login.userCode}. To log in, open this page and check that it shows the code:\n`)
  terminal.note(`  ${login.verificationUriComplete}\n`)
  terminal.note('Waiting for your approval. Press Ctrl-C to stop.')
  let intervalSeconds = login.interval
  // This machine's clock may change during the login.
  const endsAtMs = performance.now() + login.expiresIn * 1_000
  while (performance.now() < endsAtMs) {
    await wait(intervalSeconds * 1_000)
    const token = await poll(tillhook, login.deviceCode)
    if (token === 'slow down') intervalSeconds += 5
    else if (token !== undefined) return token
  }
  throw expired()
}

/** Undefined: the person has not decided. RFC 8628, 3.5: a client polls more slowly after `slow_down`, and after a failed connection. */
async function poll(tillhook: Tillhook, deviceCode: string): Promise<string | 'slow down' | undefined> {
  try {
    return (await tillhook.pollDeviceLogin({ body: { deviceCode } })).token
  } catch (error) {
    if (error instanceof TillhookConnectionError) return 'slow down'
    if (!(error instanceof TillhookError)) throw error
    if (error.code === 'AUTHORIZATION_PENDING') return undefined
    if (error.code === 'SLOW_DOWN' || error.status === 429 || error.status >= 500) return 'slow down'
    if (error.code === 'EXPIRED_TOKEN') throw expired()
    if (error.code === 'ACCESS_DENIED') throw new CliError('The login was denied.', 3)
    throw error
  }
}

function expired(): CliError {
  return new CliError('The code has expired. Run tillhook login again.', 3)
}

/** The name of the session on the account page. */
function fetchAsCommandLine(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('user-agent', `Tillhook-CLI/${VERSION} (${SYSTEMS[process.platform] ?? process.platform})`)
  return fetch(url, { ...init, headers })
}
