import { execFileSync, type StdioOptions } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import * as programs from './contract/client-programs.ts'
import { openTenant } from './contract/client-tenant.ts'

/**
 * Generates clients from contract/openapi.json, compiles each, and lists the subscriptions of an app by each against a service:
 * `npm run contract:clients`, or with the names of some. Needs Java 17, Maven, Go and Python 3. Maven, Go, pip and npm download the generators
 * and the clients' dependencies.
 */
const GENERATOR = 'openapi-generator-cli'
const VERSION = '7.20.0'
const MAVEN_COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy'
const MAVEN_EXEC = 'org.codehaus.mojo:exec-maven-plugin:3.5.0:java'
const IMPORT_ALL = `import importlib, pkgutil, openapi_client
for module in pkgutil.walk_packages(openapi_client.__path__, 'openapi_client.'): importlib.import_module(module.name)`

const root = process.cwd()
const document = resolve('contract/openapi.json')
const folder = mkdtempSync(join(tmpdir(), 'tillhook-clients-'))
const tsc = (cwd: string, ...args: string[]) =>
  run(cwd, join(root, 'node_modules/.bin/tsc'), '--ignoreConfig', '--strict', '--skipLibCheck', ...args)

/** Each returns the output of its program: the ids of the subscriptions. */
const CLIENTS: Readonly<Record<string, (to: string) => string>> = {
  java: to => java(to, 'native', programs.JAVA_NATIVE),
  'java-okhttp': to => java(to, 'okhttp-gson', programs.JAVA_OKHTTP),
  go: to => {
    generate('go', to)
    // The generated tests call no server and want another dependency.
    rmSync(join(to, 'test'), { recursive: true, force: true })
    write(join(to, 'list/main.go'), programs.GO)
    run(to, 'go', 'mod', 'tidy')
    run(to, 'go', 'build', './...')
    return run(to, 'go', 'run', './list')
  },
  python: to => {
    generate('python', to)
    run(to, 'python3', '-m', 'venv', 'venv')
    run(to, 'venv/bin/pip', 'install', '-q', '-r', 'requirements.txt')
    run(to, 'venv/bin/python', '-c', IMPORT_ALL)
    return run(to, 'venv/bin/python', '-c', programs.PYTHON)
  },
  'typescript-fetch': to => {
    generate('typescript-fetch', to)
    write(join(to, 'list.ts'), programs.TYPESCRIPT_FETCH)
    write(join(to, 'package.json'), '{"private":true,"type":"commonjs"}')
    const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    tsc(to, '--lib', 'es2022,dom', '--target', 'es2022', '--module', 'nodenext', ...node, '--outDir', 'js', 'list.ts')
    return run(to, process.execPath, 'js/list.js')
  },
  'openapi-typescript': to => {
    write(join(to, 'package.json'), '{"private":true,"type":"module"}')
    copyFileSync(document, join(to, 'openapi.json'))
    run(to, 'npx', '-y', 'openapi-typescript@7.13.0', 'openapi.json', '-o', 'openapi.ts')
    run(to, 'npm', 'install', '--no-audit', '--no-fund', 'openapi-fetch@0.17.0')
    write(join(to, 'list.ts'), programs.OPENAPI_FETCH)
    const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const modern = ['--lib', 'es2022,dom', '--target', 'es2022', '--module', 'nodenext', '--allowImportingTsExtensions']
    tsc(to, '--noEmit', ...modern, ...node, 'list.ts')
    return run(to, process.execPath, 'list.ts')
  },
}

const given = process.argv.slice(2)
let failed = 0
const tenant = await openTenant()
try {
  for (const [name, make] of Object.entries(CLIENTS)) {
    if (given.length > 0 && !given.includes(name)) continue
    const from = performance.now()
    try {
      // Maven colours its output.
      const listed = (make(join(folder, name)).match(/[0-9a-f-]{36}/g) ?? []).toSorted().join()
      if (listed !== tenant.subscriptionIds.join()) throw new Error(`listed ${listed || 'nothing'}`)
      const seconds = Math.round((performance.now() - from) / 1000)
      process.stdout.write(`ok      ${name} lists ${tenant.subscriptionIds.length} subscriptions (${seconds} s)\n`)
    } catch (error) {
      failed++
      process.stdout.write(`FAILED  ${name}\n${String((error as { stdout?: Buffer }).stdout ?? '')}${String(error)}\n`)
    }
  }
} finally {
  await tenant[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

function java(to: string, library: string, program: string): string {
  generate('java', to, '--library', library)
  write(join(to, 'src/main/java/ListSubscriptions.java'), program)
  run(to, 'mvn', '-q', '-B', 'compile')
  return run(to, 'mvn', '-q', '-B', MAVEN_EXEC, '-Dexec.mainClass=ListSubscriptions')
}

function generate(generator: string, to: string, ...options: readonly string[]): void {
  if (!readdirSync(folder).includes(`${GENERATOR}-${VERSION}.jar`)) {
    const artifact = `-Dartifact=org.openapitools:${GENERATOR}:${VERSION}`
    run(folder, 'mvn', '-q', '-B', MAVEN_COPY, artifact, `-DoutputDirectory=${folder}`)
  }
  const jar = join(folder, `${GENERATOR}-${VERSION}.jar`)
  run(folder, 'java', '-jar', jar, 'generate', '-g', generator, '-i', document, '-o', to, ...options)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
  const env = { ...process.env, ...tenant.settings }
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio, maxBuffer: 64 * 2 ** 20 })
}
