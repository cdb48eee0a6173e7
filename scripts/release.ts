import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** Prepares a release as docs/releasing.md describes: versions, changelog, generated files, bill of materials. Commits nothing. */
const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write('Name the version: npm run release -- 0.2.0\n')
  process.exit(1)
}
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })

const changelog = readFileSync('CHANGELOG.md', 'utf8')
if (!changelog.includes('\n## Unreleased\n')) {
  process.stderr.write('CHANGELOG.md has no section "Unreleased": write what users notice, then run this again.\n')
  process.exit(1)
}
// npm version would install all packages to write the lockfile.
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
lock.version = version
for (const folder of ['', 'server', 'demo', 'bench']) lock.packages[folder].version = version
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
const today = new Date().toISOString().slice(0, 10)
writeFileSync('CHANGELOG.md', changelog.replace('\n## Unreleased\n', `\n## ${version} (${today})\n`))
const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
const gradle = 'android/gradle.properties'
writeFileSync(
  gradle,
  readFileSync(gradle, 'utf8')
    .replace(/^storeVersion=.*$/m, `storeVersion=${version}`)
    // Android compares this number: it rises with every version.
    .replace(/^storeVersionCode=.*$/m, `storeVersionCode=${(major * 1000 + minor) * 1000 + patch}`),
)
const python = 'sdk/python/pyproject.toml'
writeFileSync(python, readFileSync(python, 'utf8').replace(/^version = ".*"$/m, `version = "${version}"`))
// The first version of each file is the SDK's own.
for (const java of ['sdk/java/pom.xml', 'sdk/java/README.md', 'sdk/java/tests/pom.xml']) {
  const own = java.includes('tests') ? /(<sdk\.version>).*?</ : /(<version>).*?</
  writeFileSync(java, readFileSync(java, 'utf8').replace(own, `$1${version}<`))
}
for (const folder of ['.', 'server', 'demo', 'bench', 'sdk/typescript', 'cli']) {
  const npm = `${folder}/package.json`
  writeFileSync(npm, readFileSync(npm, 'utf8').replace(/"version": ".*?"/, `"version": "${version}"`))
}
run('npm', 'run', 'print')
writeFileSync('sbom.cdx.json', run('npm', 'sbom', '--omit=dev', '--sbom-format=cyclonedx'))
process.stdout.write(`Prepared ${version}. Read CHANGELOG.md, commit as "release: ${version}", and tag v${version}.\n`)
