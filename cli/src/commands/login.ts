import { resolve } from 'node:path'
import { createTillhook, TillhookError } from '../../../sdk/typescript/src/index.ts'
import { logInByBrowser } from '../browser-login.ts'
import type { Call, Command } from '../command.ts'
import { CliError } from '../errors.ts'
import { type Profile, profilePath, saveProfile } from '../profile.ts'
import { connect, urlOf } from '../service.ts'

export const login: Command = {
  name: 'login',
  summary: 'Log in with your browser, the operator key, your password, or the key of an app',
  options: {
    operator: { summary: 'ask for the operator key' },
    email: { value: 'address', summary: 'sign in with your account; asks for the password' },
    code: { value: 'digits', summary: 'the code of your second factor' },
    'key-id': { value: 'kid', summary: "the id of the app's key, if the app has several" },
  },
  examples: [
    'tillhook login                              # approve in the browser',
    'tillhook login --operator                   # asks for the operator key',
    'tillhook login --email dev@lakeside.example # asks for your password',
    'tillhook login --app urn:aid:… --private-key planner.pem',
    'tillhook login --url https://api.example.com < operator-key.txt',
  ],
  async run(call: Call) {
    const { env, terminal } = call
    const chosen = await credentialsOf(call)
    const options = { ...call.options, ...(chosen.key !== undefined && { key: chosen.key }) }
    const { tillhook, url } = await connect({ options, env })
    // A call that these credentials may make.
    if (chosen.key === undefined) await tillhook.listPlans()
    else await tillhook.listApps({ limit: 1 })
    // Removes the credentials of an earlier login.
    const before = { key: undefined, privateKey: undefined, keyId: undefined, app: undefined }
    const failure = await saveProfile(env, { ...before, url, ...chosen })
    if (failure !== undefined) {
      const words = `The credentials work, but were not saved: ${failure}`
      throw new CliError(`${words}\nSet TILLHOOK_KEY instead, or TILLHOOK_CONFIG to a file.`)
    }
    terminal.say(`Logged in to ${url}. Saved in ${profilePath(env)}.`)
    terminal.json({ url, config: profilePath(env) })
  },
}

async function credentialsOf(call: Call): Promise<Profile> {
  const { options, flags, terminal } = call
  const { app, 'private-key': file, 'key-id': keyId } = options
  const more = app === undefined ? {} : { app }
  if (file !== undefined) return { ...more, privateKey: resolve(file), ...(keyId !== undefined && { keyId }) }
  if (options.email !== undefined) return { ...more, key: await signIn(call, options.email) }
  if (options.key !== undefined) return { ...more, key: options.key }
  // A pipe holds the operator key.
  if (flags.has('operator') || !terminal.isTyped) return { ...more, key: await terminal.ask('Operator key: ') }
  return { ...more, key: await logInByBrowser(terminal, await urlOf(call)) }
}

/** The token of a session. The session ends after 12 hours without use. */
async function signIn(call: Call, email: string): Promise<string> {
  const { terminal, options } = call
  const tillhook = createTillhook({ baseUrl: await urlOf(call), token: '', retries: 1 })
  const password = await terminal.ask('Password: ')
  const open = (totp: string | undefined) =>
    tillhook.signIn({ body: { email, password, ...(totp !== undefined && { totp }) } })
  try {
    return (await open(options.code)).token
  } catch (error) {
    if (!(error instanceof TillhookError && error.code === 'SECOND_FACTOR_REQUIRED')) throw error
    if (!terminal.isTyped) throw new CliError('The account has a second factor: add --code <digits>.', 3)
    return (await open(await terminal.ask('Code of your second factor: '))).token
  }
}
