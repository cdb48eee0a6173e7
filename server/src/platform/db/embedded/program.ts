import type { Site } from './unprivileged.ts'

type Command = {
  file: string
  args: string[]
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number }
}

/** How to run one of PostgreSQL's programs on this site. */
export function commandFor(site: Site, program: string, args: string[]): Command {
  const [file = program, ...rest] = [...site.prefix, program, ...args]
  // None of our environment: PGPORT, PGDATA, TZ or a locale of the operator's would otherwise settle something.
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { file, args: rest, options: { cwd: site.parent, env, ...site.account } }
}
