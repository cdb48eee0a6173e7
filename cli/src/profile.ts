import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError } from './errors.ts'

/** The choices of `login` and of the last commands. */
export interface Profile {
  readonly url?: string
  readonly key?: string
  readonly app?: string
  /** Path of the app's private key. */
  readonly privateKey?: string
  readonly keyId?: string
  /** Signs what `listen` forwards. */
  readonly webhookSecret?: string
  /** The test merchant of the last `trigger`. */
  readonly merchant?: string
}

/** An undefined choice is removed. */
type Changes = { readonly [K in keyof Profile]?: Profile[K] | undefined }

type Env = Readonly<Record<string, string | undefined>>

export function profilePath(env: Env): string {
  if (env.TILLHOOK_CONFIG) return env.TILLHOOK_CONFIG
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(folder, 'tillhook', 'config.json')
}

/** Without a readable file: empty. */
export async function readProfile(env: Env): Promise<Profile> {
  let text: string
  try {
    text = await readFile(profilePath(env), 'utf8')
  } catch {
    return {}
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError(`${profilePath(env)} is not JSON. Correct or delete the file.`)
  }
}

/** Merges the changes into the file, which only its owner can read. Returns why the file could not be written. */
export async function saveProfile(env: Env, changes: Changes): Promise<string | undefined> {
  const path = profilePath(env)
  const next = { ...(await readProfile(env)), ...changes }
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // Another command may read the file during the write.
    await writeFile(`${path}.${process.pid}`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
    await rename(`${path}.${process.pid}`, path)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
