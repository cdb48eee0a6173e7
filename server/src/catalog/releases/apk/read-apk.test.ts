import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isRejection, type Rejection } from '../../../core/rejection.ts'
import { type ApkFacts, checkUpgrade } from '../../../core/release.ts'
import { readApk } from './read-apk.ts'
import type { Readable } from './zip.ts'

const FOLDER = new URL('../../../../test/vectors/apk/', import.meta.url)
const bytesOf = (name: string) => readFileSync(new URL(`${name}.apk`, FOLDER))

function readable(bytes: Buffer): Readable {
  return {
    size: bytes.length,
    async read(position, length) {
      if (position < 0 || position + length > bytes.length) throw new RangeError('beyond the end')
      return bytes.subarray(position, position + length)
    },
  }
}

async function factsOf(bytes: Buffer): Promise<ApkFacts> {
  const read = await readApk(readable(bytes))
  assert.ok(!isRejection(read), JSON.stringify(read))
  return read
}

async function rejectionOf(bytes: Buffer): Promise<string> {
  const read = await readApk(readable(bytes))
  assert.ok(isRejection(read), 'an APK was accepted')
  return read.developerMessage
}

test('package, version, signer, permissions, label and icon are read from an APK of aapt2 and apksigner', async () => {
  const { icon, ...facts } = await factsOf(bytesOf('version-1'))
  assert.deepEqual(facts, {
    packageName: 'com.example.till',
    versionCode: 1,
    versionName: '1.1',
    // As `apksigner verify --print-certs` says.
    signerSha256: SIGNER,
    permissions: ['android.permission.CAMERA', 'com.service.store.BILLING'],
    label: 'Till helper',
  })
  const [head, data = ''] = (icon ?? '').split(',')
  assert.equal(head, 'data:image/png;base64')
  // The picture for the densest screen: 144 pixels.
  assert.equal(Buffer.from(data, 'base64').readUInt32BE(16), 144)
})

const SIGNER = '19b21259d17b37fa3527e87370c06567241e80e7f2abf477c74d0b6e5f04b31f'

test('a new version needs the same signer and a higher version code', async () => {
  const first = await factsOf(bytesOf('version-1'))
  const second = await factsOf(bytesOf('version-2'))
  const foreign = await factsOf(bytesOf('version-2-another-signer'))
  const code = (rejection: Rejection | null) => rejection?.rejected
  assert.equal(checkUpgrade(first, 'com.example.till', null), null)
  assert.equal(checkUpgrade(second, 'com.example.till', first), null)
  assert.equal(code(checkUpgrade(first, 'com.example.till', first)), 'VERSION_CODE_TOO_LOW')
  assert.equal(code(checkUpgrade(first, 'com.example.till', second)), 'VERSION_CODE_TOO_LOW')
  assert.equal(code(checkUpgrade(foreign, 'com.example.till', first)), 'SIGNER_CHANGED')
  assert.equal(code(checkUpgrade(first, 'com.example.other', null)), 'INVALID_PARAMETER')
})

test('an APK without a v2 signature, or with two signers, is rejected with advice', async () => {
  assert.match(await rejectionOf(bytesOf('unsigned')), /not signed by APK Signature Scheme v2 or later/)
  assert.match(await rejectionOf(bytesOf('v1-only')), /not signed by APK Signature Scheme v2 or later/)
  assert.match(await rejectionOf(bytesOf('two-signers')), /exactly one signer/)
})

test('a file that is not an APK is rejected with advice', async () => {
  for (const bytes of [Buffer.from('PK'), Buffer.alloc(0), Buffer.alloc(100_000), Buffer.from('#!/bin/sh')]) {
    assert.match(await rejectionOf(bytes), /it is not a ZIP archive, or it was cut off.*packageKind OTHER/)
  }
  // An empty archive.
  const empty = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
  assert.match(await rejectionOf(empty), /it has no AndroidManifest.xml/)
})

test('an APK that is cut off at any byte is rejected', async () => {
  const whole = bytesOf('version-1')
  for (let length = 0; length < whole.length; length += 7) await rejectionOf(whole.subarray(0, length))
})

test('a manifest with a false small size is rejected before it fills the memory', async () => {
  const bomb = Buffer.from(bytesOf('version-1'))
  const entry = bomb.lastIndexOf('AndroidManifest.xml') - 46
  assert.equal(bomb.readUInt32LE(entry), 0x02014b50)
  bomb.writeUInt32LE(10, entry + 24)
  assert.match(await rejectionOf(bomb), /AndroidManifest.xml is damaged/)
  bomb.writeUInt32LE(2 ** 31, entry + 24)
  assert.match(await rejectionOf(bomb), /AndroidManifest.xml is larger than/)
})

test('an archive with duplicate entry names is rejected, because Android could read another entry', async () => {
  const whole = bytesOf('version-1')
  const end = whole.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const directoryAt = whole.readUInt32LE(end + 16)
  const first =
    46 +
    whole.readUInt16LE(directoryAt + 28) +
    whole.readUInt16LE(directoryAt + 30) +
    whole.readUInt16LE(directoryAt + 32)
  const twice = Buffer.concat([
    whole.subarray(0, directoryAt + first),
    whole.subarray(directoryAt, directoryAt + first),
    whole.subarray(directoryAt + first),
  ])
  const at = end + first
  twice.writeUInt16LE(whole.readUInt16LE(end + 10) + 1, at + 10)
  twice.writeUInt32LE(whole.readUInt32LE(end + 12) + first, at + 12)
  assert.match(await rejectionOf(twice), /it has two entries/)
})

/** mulberry32: the same numbers for the same seed. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

test('20,000 damaged APKs are read or rejected within limits and without other errors', async () => {
  const originals = readdirSync(FOLDER)
    .filter(name => name.endsWith('.apk'))
    .map(name => readFileSync(new URL(name, FOLDER)))
  const next = numbers(7)
  let rejected = 0
  for (let round = 0; round < 20_000; round++) {
    const bytes = Buffer.from(originals[next(originals.length)] ?? Buffer.alloc(0))
    for (let edits = 1 + next(8); edits > 0; edits--) {
      const at = next(bytes.length - 4)
      if (next(3) === 0) bytes.writeUInt32LE([0, 1, 0x7fffffff, 0xffffffff, 0x80000000][next(5)] ?? 0, at)
      else bytes[at] = next(256)
    }
    const read = await readApk(readable(bytes))
    if (isRejection(read)) rejected++
    else assert.match(read.signerSha256, /^[0-9a-f]{64}$/)
  }
  assert.ok(rejected > 5_000 && rejected < 20_000, `${rejected} were rejected`)
})

test('20,000 damaged manifests and resource tables without checksums are read or rejected', async () => {
  const { readManifest } = await import('./manifest.ts')
  const { readResources, resolve } = await import('./resources.ts')
  const { readEntry, readZip } = await import('./zip.ts')
  const { NotAnApk } = await import('./not-an-apk.ts')
  const file = readable(bytesOf('version-1'))
  const zip = await readZip(file)
  const entry = async (name: string) => {
    const found = zip.entries.get(name)
    assert.ok(found)
    return readEntry(file, zip, found, 1_000_000)
  }
  const [manifest, resources] = [await entry('AndroidManifest.xml'), await entry('resources.arsc')]
  const { label = '' } = readManifest(manifest)
  const next = numbers(11)
  let thrown = 0
  for (let round = 0; round < 20_000; round++) {
    const isManifest = round % 2 === 0
    const bytes = Buffer.from(isManifest ? manifest : resources)
    for (let edits = 1 + next(4); edits > 0; edits--) {
      const at = next(bytes.length - 4)
      if (next(2) === 0) bytes.writeUInt32LE([0, 1, 8, 0x7fffffff, 0xffffffff][next(5)] ?? 0, at)
      else bytes[at] = next(256)
    }
    try {
      if (isManifest) readManifest(bytes)
      else resolve(readResources(bytes), label)
    } catch (error) {
      assert.ok(error instanceof NotAnApk || error instanceof RangeError, String(error))
      thrown++
    }
  }
  assert.ok(thrown > 1_000, `${thrown} were rejected`)
})
