import { readFile } from 'node:fs/promises'
import { createTillhook, type Tillhook } from '../../sdk/typescript/src/index.ts'
import type { Call } from './command.ts'
import { CliError } from './errors.ts'
import { readProfile } from './profile.ts'

export interface Service {
  readonly url: string
  readonly tillhook: Tillhook
  /** The app of the options or of the profile; otherwise the only app that exists. */
  appId(): Promise<string>
}

const DEFAULT_URL = 'http://127.0.0.1:8080'

/** The service with the credentials of the options, of the environment or of `login`, in this order. */
export async function connect({ options, env }: Pick<Call, 'options' | 'env'>): Promise<Service> {
  const profile = await readProfile(env)
  const url = await urlOf({ options, env })
  const app = options.app ?? env.TILLHOOK_APP ?? profile.app
  const tillhook = await client()
  return { url, tillhook, appId: async () => app ?? (await onlyApp(tillhook)) }

  async function client(): Promise<Tillhook> {
    const file = options['private-key'] ?? (options.key === undefined ? env.TILLHOOK_PRIVATE_KEY : undefined)
    const token = options.key ?? env.TILLHOOK_KEY
    if (file !== undefined) return actAs(file)
    if (token !== undefined) return createTillhook({ baseUrl: url, token, retries: 1, ...(app && { appId: app }) })
    if (profile.privateKey !== undefined) return actAs(profile.privateKey, profile.keyId)
    if (profile.key !== undefined) {
      return createTillhook({ baseUrl: url, token: profile.key, retries: 1, ...(app && { appId: app }) })
    }
    throw new CliError('You are not logged in. Run tillhook login, or set TILLHOOK_KEY.', 3)
  }

  async function actAs(file: string, keyId?: string): Promise<Tillhook> {
    if (app === undefined) throw new CliError('--private-key needs the app: --app <appId>', 2)
    const privateKey = await readFile(file, 'utf8').catch(error => {
      throw new CliError(`${file} cannot be read: ${error.message}`)
    })
    return createTillhook({ baseUrl: url, appId: app, privateKey, retries: 1, ...(keyId && { keyId }) })
  }
}

export async function urlOf({ options, env }: Pick<Call, 'options' | 'env'>): Promise<string> {
  const url = options.url ?? env.TILLHOOK_URL ?? (await readProfile(env)).url ?? DEFAULT_URL
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new CliError(`${url} is not an http address`, 2)
  return url
}

async function onlyApp(tillhook: Tillhook): Promise<string> {
  const apps = []
  for await (const app of tillhook.each('listApps')) {
    apps.push(app)
    if (apps.length > 10) break
  }
  const [first] = apps
  if (first === undefined) throw new CliError('There is no app yet. Run tillhook apps create.')
  if (apps.length === 1) return first.appId
  const list = apps.slice(0, 10).map(({ appId, name }) => `  ${appId}  ${name}`)
  throw new CliError(`Which app? Add --app:\n${list.join('\n')}`, 2)
}
