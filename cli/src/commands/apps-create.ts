import { resolve } from 'node:path'
import type { Tillhook } from '../../../sdk/typescript/src/index.ts'
import type { Call, Command } from '../command.ts'
import { CliError } from '../errors.ts'
import { saveProfile } from '../profile.ts'
import { connect } from '../service.ts'
import { writeNew } from '../write-new.ts'

export const createApp: Command = {
  name: 'apps create',
  summary: 'Create an app with a key pair, and select the app for later commands',
  takes: ['<name>'],
  options: {
    package: { value: 'name', summary: 'package name of the app, for example com.example.planner' },
    organization: { value: 'organizationId', summary: 'the developer (default: the only one, or a new one)' },
    out: { value: 'file', summary: 'where the private key is written (default: <package>.pem)' },
  },
  examples: [
    'tillhook apps create "Table Planner" --package com.example.planner',
    'tillhook apps create "Table Planner" --package com.example.planner --json',
  ],
  async run(call: Call) {
    const { args, options, env, terminal } = call
    const packageName = options.package
    if (packageName === undefined)
      throw new CliError('--package is missing, for example --package com.example.planner', 2)
    const { tillhook } = await connect(call)
    const organizationId = options.organization ?? (await organizationOf(tillhook))
    const file = resolve(options.out ?? `${packageName}.pem`)
    const name = args[0] ?? ''
    const app = await writeNew(file, async () => {
      const made = await tillhook.createApp({ body: { organizationId, name, packageName } })
      return { value: made, text: made.privateKey ?? '' }
    })
    await saveProfile(env, { app: app.appId })
    terminal.say(`${name} is ${app.appId}`)
    terminal.say(`Its private key is in ${file}. Keep the file secret: the key is shown only now.`)
    terminal.json({ appId: app.appId, organizationId, packageName, privateKeyFile: file })
  },
}

async function organizationOf(tillhook: Tillhook): Promise<string> {
  const organizations = []
  for await (const one of tillhook.each('listOrganizations')) {
    organizations.push(one)
    if (organizations.length > 10) break
  }
  const [first] = organizations
  if (first === undefined) {
    const body = { name: 'My company', email: 'dev@example.com' }
    return (await tillhook.createOrganization({ body })).organizationId
  }
  if (organizations.length === 1) return first.organizationId
  const list = organizations.slice(0, 10).map(({ organizationId, name }) => `  ${organizationId}  ${name}`)
  throw new CliError(`Which developer? Add --organization:\n${list.join('\n')}`, 2)
}
