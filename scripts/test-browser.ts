import { spawn } from 'node:child_process'
import { findChromium, NO_CHROMIUM } from '../server/test/browser/chromium.ts'

/** Tests in the system's Chromium, apart from all others, which need nothing but Node and npm. */
if (findChromium() === null) {
  process.stderr.write(`${NO_CHROMIUM}\n`)
  process.exit(1)
}
const given = process.argv.slice(2)
const args = [
  '--test',
  // A browser is several processes, and busy ones.
  '--test-concurrency=2',
  '--test-timeout=300000',
  '--test-global-setup=server/test/global-setup.ts',
  ...(given.length > 0 ? given : ['server/**/*.browser.ts']),
]
const child = spawn(process.execPath, args, { stdio: 'inherit' })
// Ctrl-C reaches the tests as well; they clean up, and this process waits for them.
process.on('SIGINT', () => {})
child.on('close', code => {
  process.exitCode = code ?? 1
})
