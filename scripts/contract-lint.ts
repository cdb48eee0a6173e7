import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Runs three linters over contract/openapi.json: `npm run contract:lint`. A warning fails the command. Needs Python 3.
 * npm and pip download the linters, which are too large to be dependencies of the project.
 */
const document = resolve('contract/openapi.json')
const folder = mkdtempSync(join(tmpdir(), 'tillhook-lint-'))

const LINTERS: Readonly<Record<string, () => void>> = {
  spectral() {
    writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
    npx('@stoplight/spectral-cli@6.16.3', 'spectral', 'lint', '--fail-severity=hint', '-r', 'spectral.yaml', document)
  },
  redocly() {
    const config = ['--config', resolve('contract/redocly.yaml')]
    // Redocly exits with 0 when it warns.
    const report = npx('@redocly/cli@2.77.0', 'redocly', 'lint', document, ...config, '--format=json')
    const { problems } = JSON.parse(report.slice(report.indexOf('{'))) as { problems: unknown[] }
    if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2))
  },
  'openapi-spec-validator'() {
    run('python3', '-m', 'venv', 'venv')
    run('venv/bin/pip', 'install', '-q', 'openapi-spec-validator==0.9.0')
    run('venv/bin/openapi-spec-validator', document)
  },
}

let failed = 0
try {
  for (const [name, lint] of Object.entries(LINTERS)) {
    try {
      lint()
      process.stdout.write(`ok      ${name}\n`)
    } catch (error) {
      failed++
      process.stdout.write(`FAILED  ${name}\n${String((error as { stdout?: Buffer }).stdout ?? '')}${String(error)}\n`)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

function npx(linter: string, ...command: readonly string[]): string {
  return run('npx', '-y', '-p', linter, ...command)
}

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
