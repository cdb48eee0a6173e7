import { spawn } from 'node:child_process'

/** The checks that protect main, cheapest first. */
const CHECKS: readonly { name: string; command: readonly string[] }[] = [
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'types of browser scripts', command: ['tsc', '-p', 'tsconfig.browser.json'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'tests', command: ['npm', 'test'] },
]

let failed = 0
for (const { name, command } of process.argv.includes('--quick') ? CHECKS.slice(0, -1) : CHECKS) {
  const { ok, seconds, output } = await run(command)
  process.stdout.write(`${ok ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)\n`)
  if (!ok) {
    failed++
    process.stdout.write(`${output.trimEnd()}\n`)
  }
}
process.exitCode = failed === 0 ? 0 : 1

async function run([program = '', ...rest]: readonly string[]) {
  const from = performance.now()
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  child.stderr.on('data', chunk => chunks.push(chunk))
  const ok = await new Promise<boolean>(resolve => child.on('close', code => resolve(code === 0)))
  return { ok, seconds: (performance.now() - from) / 1000, output: Buffer.concat(chunks).toString() }
}
