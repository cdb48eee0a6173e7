import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Generates clients from contract/openapi.json and compiles each: `npm run contract:clients`, or with the names of some.
 * Needs Java 17, Maven, Go and Python 3. Maven, Go, pip and npm download the generators and the clients' dependencies.
 */
const GENERATOR = 'openapi-generator-cli'
const VERSION = '7.20.0'
const MAVEN_COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy'
const IMPORT_ALL = `import importlib, pkgutil, openapi_client
for module in pkgutil.walk_packages(openapi_client.__path__, 'openapi_client.'): importlib.import_module(module.name)`

const root = process.cwd()
const document = resolve('contract/openapi.json')
const folder = mkdtempSync(join(tmpdir(), 'tillhook-clients-'))
const tsc = (...files: string[]) =>
  run(root, 'npx', 'tsc', '--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', ...files)

const CLIENTS: Readonly<Record<string, (to: string) => void>> = {
  java: to => {
    generate('java', to, '--library', 'native')
    run(to, 'mvn', '-q', '-B', 'compile')
  },
  'java-okhttp': to => {
    generate('java', to, '--library', 'okhttp-gson')
    run(to, 'mvn', '-q', '-B', 'compile')
  },
  go: to => {
    generate('go', to)
    // The generated tests call no server and want another dependency.
    rmSync(join(to, 'test'), { recursive: true, force: true })
    run(to, 'go', 'mod', 'tidy')
    run(to, 'go', 'build', './...')
  },
  python: to => {
    generate('python', to)
    run(to, 'python3', '-m', 'venv', 'venv')
    run(to, 'venv/bin/pip', 'install', '-q', '-r', 'requirements.txt')
    run(to, 'venv/bin/python', '-c', IMPORT_ALL)
  },
  'typescript-fetch': to => {
    generate('typescript-fetch', to)
    tsc('--lib', 'es2022,dom', '--module', 'nodenext', '--moduleResolution', 'nodenext', join(to, 'index.ts'))
  },
  'openapi-typescript': to => {
    mkdirSync(to, { recursive: true })
    copyFileSync(document, join(to, 'openapi.json'))
    run(to, 'npx', '-y', 'openapi-typescript@7.13.0', 'openapi.json', '-o', 'openapi.ts')
    tsc(join(to, 'openapi.ts'))
  },
}

const given = process.argv.slice(2)
let failed = 0
try {
  for (const [name, make] of Object.entries(CLIENTS)) {
    if (given.length > 0 && !given.includes(name)) continue
    try {
      make(join(folder, name))
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

function generate(generator: string, to: string, ...options: readonly string[]): void {
  if (!readdirSync(folder).includes(`${GENERATOR}-${VERSION}.jar`)) {
    const artifact = `-Dartifact=org.openapitools:${GENERATOR}:${VERSION}`
    run(folder, 'mvn', '-q', '-B', MAVEN_COPY, artifact, `-DoutputDirectory=${folder}`)
  }
  const jar = join(folder, `${GENERATOR}-${VERSION}.jar`)
  run(folder, 'java', '-jar', jar, 'generate', '-g', generator, '-i', document, '-o', to, ...options)
}

function run(cwd: string, command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 2 ** 20 })
}
