import { given } from '../../../core/given.ts'
import { iconTypeOf } from '../../../core/icon.ts'
import { type Rejection, rejectField } from '../../../core/rejection.ts'
import type { ApkFacts } from '../../../core/release.ts'
import { type Manifest, type ManifestValue, readManifest } from './manifest.ts'
import { NotAnApk } from './not-an-apk.ts'
import { type Resources, readResources, resolve } from './resources.ts'
import { readSigner } from './signer.ts'
import { type Readable, readEntry, readZip, type Zip } from './zip.ts'

const KIB = 1024
const MAX_MANIFEST_BYTES = 1024 * KIB
/** An app with a larger table is shown without its label and icon. */
const MAX_RESOURCES_BYTES = 16 * 1024 * KIB
const MAX_ICON_BYTES = 64 * KIB
const MAX_TEXT = 255

/**
 * Reads an APK's package, version, signer and permissions, and the label and icon that a reviewer sees. Rejects a file that a terminal
 * could not install and gives the reason. Source: decisions 4.
 */
export async function readApk(file: Readable): Promise<ApkFacts | Rejection> {
  try {
    const zip = await readZip(file)
    const entry = zip.entries.get('AndroidManifest.xml')
    if (entry === undefined) throw new NotAnApk('it has no AndroidManifest.xml')
    const manifest = readManifest(await readEntry(file, zip, entry, MAX_MANIFEST_BYTES))
    const signerSha256 = await readSigner(file, zip)
    const { packageName, versionCode, permissions } = manifest
    return { packageName, versionCode, signerSha256, permissions, ...(await shownOf(file, zip, manifest)) }
  } catch (error) {
    // Positions beyond the end are Node's RangeError.
    if (!(error instanceof NotAnApk) && !(error instanceof RangeError)) throw error
    const reason = error instanceof NotAnApk ? error.message : 'it is damaged'
    const advice = 'Send packageKind OTHER with a package that is not for Android.'
    return rejectField('package', `is not an APK that a terminal can install: ${reason}. ${advice}`)
  }
}

/** An unreadable label or icon is omitted; neither is a reason to reject an APK. */
async function shownOf(
  file: Readable,
  zip: Zip,
  manifest: Manifest,
): Promise<Pick<ApkFacts, 'versionName' | 'label' | 'icon'>> {
  const { versionName, label, icon } = manifest
  try {
    const resources = await resourcesOf(file, zip)
    const [version, name] = [textOf(resources, versionName), textOf(resources, label)]
    const picture = icon === undefined ? undefined : await pictureOf(file, zip, resolve(resources, icon))
    return given({ versionName: version, label: name, icon: picture })
  } catch (error) {
    if (!(error instanceof NotAnApk) && !(error instanceof RangeError)) throw error
    return {}
  }
}

async function resourcesOf(file: Readable, zip: Zip): Promise<Resources> {
  const entry = zip.entries.get('resources.arsc')
  return entry === undefined ? () => [] : readResources(await readEntry(file, zip, entry, MAX_RESOURCES_BYTES))
}

function textOf(resources: Resources, value: ManifestValue | undefined): string | undefined {
  if (value === undefined) return undefined
  const found = resolve(resources, value)
  const text = (found.find(({ isDefault }) => isDefault) ?? found[0])?.value
  // Only characters that a page can show and the database can store.
  return typeof text === 'string' ? text.replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed() : undefined
}

/** The bitmap for the densest screen that is small enough, as a data URL. */
async function pictureOf(
  file: Readable,
  zip: Zip,
  found: readonly { value: ManifestValue; density: number }[],
): Promise<string | undefined> {
  for (const { value } of found.toSorted((a, b) => b.density - a.density)) {
    const entry = typeof value === 'string' ? zip.entries.get(value) : undefined
    if (entry === undefined || entry.size > MAX_ICON_BYTES) continue
    const bytes = await readEntry(file, zip, entry, MAX_ICON_BYTES)
    const type = iconTypeOf(bytes)
    if (typeof type === 'string') return `data:${type};base64,${bytes.toString('base64')}`
  }
  return undefined
}
