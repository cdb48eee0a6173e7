import { resolve } from 'node:path'
import type { Call, Command } from '../command.ts'
import { connect } from '../service.ts'
import { writeNew } from '../write-new.ts'

export const createKey: Command = {
  name: 'keys create',
  summary: 'Add a key to an app',
  options: { out: { value: 'file', summary: 'where the private key is written (default: app-key.pem)' } },
  examples: ['tillhook keys create --out planner-2.pem', 'tillhook keys create --app urn:aid:… --json'],
  async run(call: Call) {
    const { options, terminal } = call
    const service = await connect(call)
    const appId = await service.appId()
    const file = resolve(options.out ?? 'app-key.pem')
    const { kid: keyId } = await writeNew(file, async () => {
      const made = await service.tillhook.addAppKey({ appId })
      return { value: made, text: made.privateKey ?? '' }
    })
    terminal.say(`The keyId is ${keyId}. The private key is in ${file}: keep the file secret.`)
    terminal.json({ appId, keyId, privateKeyFile: file })
  },
}
