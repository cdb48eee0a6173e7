import { readFileSync } from 'node:fs'
import { assert } from '../core/assert.ts'
import { codeTabs } from '../platform/web/components/code-block.ts'
import type { Html } from '../platform/web/html.ts'

/** The code of the guides, which tests run. */
const GUIDES = new URL('../../../docs/guides/', import.meta.url)
const textOf = (file: string) => readFileSync(new URL(file, GUIDES), 'utf8').trimEnd()

/** Code that calls the API with the key of an app. */
export function tokenCode(): Html {
  const sdks = textOf('sdks.md')
  const first = (language: string) => {
    const [, code] = new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, 'ms').exec(sdks) ?? []
    assert(code !== undefined, `sdks.md: no code in ${language}`)
    return code
  }
  return codeTabs('token', 'a call of the API', [
    { language: 'TypeScript', text: first('ts') },
    { language: 'Python', text: first('python') },
    { language: 'Java', text: first('java') },
    { language: 'curl', text: textOf('code/token.sh') },
  ])
}

/** Code that verifies a webhook without a library. */
export function verifyCode(): Html {
  return codeTabs('verify', 'verifying a webhook', [
    { language: 'JavaScript', text: textOf('code/verify.mjs') },
    { language: 'Python', text: textOf('code/verify.py') },
    { language: 'Java', text: textOf('code/Verify.java') },
  ])
}
