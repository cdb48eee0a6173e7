import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call, Command } from '../command.ts'
import { CliError } from '../errors.ts'
import { ROOT } from '../package.ts'

const LANGUAGES: Readonly<Record<string, { file: string; command: string; needs: string }>> = {
  typescript: { file: 'listener.ts', command: 'node listener.ts', needs: 'Node 22.18' },
  python: { file: 'listener.py', command: 'python3 listener.py', needs: 'Python 3' },
  java: { file: 'Listener.java', command: 'java Listener.java', needs: 'Java 11' },
}

export const init: Command = {
  name: 'init',
  summary: 'Write a working listener in TypeScript, Python or Java, without dependencies',
  takes: ['<language>', '[folder]'],
  values: Object.keys(LANGUAGES),
  examples: ['tillhook init typescript', 'tillhook init python my-listener', 'tillhook init java'],
  async run({ args, terminal }: Call) {
    const [name = '', folder = '.'] = args
    const language = LANGUAGES[name.toLowerCase()]
    if (language === undefined) throw new CliError(`choose one of: ${Object.keys(LANGUAGES).join(', ')}`, 2)
    const path = join(folder, language.file)
    await mkdir(folder, { recursive: true })
    await copyFile(new URL(`templates/${language.file}`, ROOT), path, 1).catch(error => {
      throw new CliError(error.code === 'EEXIST' ? `${path} exists. Choose another folder.` : error.message)
    })
    terminal.say(`Wrote ${path}. Start it with ${language.needs} or newer:`)
    terminal.say(
      `  ${folder === '.' ? '' : `cd ${folder} && `}WEBHOOK_SECRET=<secret of tillhook listen> ${language.command}`,
    )
    terminal.json({ file: path, command: language.command })
  },
}
