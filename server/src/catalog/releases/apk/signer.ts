import { createHash, X509Certificate } from 'node:crypto'
import { NotAnApk } from './not-an-apk.ts'
import type { Readable, Zip } from './zip.ts'

/** APK Signature Scheme v2 and v3 of the Android Open Source Project. */
const V2 = 0x7109871a
const V3 = 0xf05368c0
const MAGIC = 'APK Sig Block 42'
const FOOTER_BYTES = 24
/** Certificates and signatures; the rest of a block may be padding and is skipped. */
const MAX_SCHEME_BYTES = 1024 * 1024

/**
 * The SHA-256 of the certificate that signed an APK. The terminal verifies the signature itself at install. An APK with two signers, or with the
 * v1 scheme only, which does not protect the whole file, is rejected.
 */
export async function readSigner(file: Readable, zip: Zip): Promise<string> {
  const schemes = await readSchemes(file, zip.directoryAt)
  const signers = [V2, V3].flatMap(id => {
    const scheme = schemes.get(id)
    return scheme === undefined ? [] : [signerOf(scheme)]
  })
  const [signer] = signers
  if (signer === undefined) {
    throw new NotAnApk('it is not signed by APK Signature Scheme v2 or later; sign it with apksigner')
  }
  if (signers.some(other => other !== signer)) throw new NotAnApk('its v2 and v3 signatures are of different signers')
  return signer
}

/** The signing block precedes the ZIP directory. The block consists of its size, pairs of id and value, its size again, and the magic word. */
async function readSchemes(file: Readable, directoryAt: number): Promise<Map<number, Buffer>> {
  const schemes = new Map<number, Buffer>()
  if (directoryAt < FOOTER_BYTES + 8) return schemes
  const footer = await file.read(directoryAt - FOOTER_BYTES, FOOTER_BYTES)
  if (footer.toString('latin1', 8) !== MAGIC) return schemes
  const end = directoryAt - FOOTER_BYTES
  const from = directoryAt - Number(footer.readBigUInt64LE(0)) - 8
  if (from < 0 || from + 8 > end || (await file.read(from, 8)).readBigUInt64LE(0) !== footer.readBigUInt64LE(0)) {
    throw new NotAnApk('its signing block is damaged')
  }
  for (let at = from + 8; at < end; ) {
    const head = await file.read(at, 12)
    const length = Number(head.readBigUInt64LE(0))
    const id = head.readUInt32LE(8)
    if (length < 4 || at + 8 + length > end) throw new NotAnApk('its signing block is damaged')
    if (id === V2 || id === V3) {
      if (length > MAX_SCHEME_BYTES || schemes.has(id)) throw new NotAnApk('its signing block is damaged')
      schemes.set(id, await file.read(at + 12, length - 4))
    }
    at += 8 + length
  }
  return schemes
}

/** signers → signer → signed data → digests, certificates → the first certificate: each with its length before it. */
function signerOf(scheme: Buffer): string {
  const signers = [...sequence(prefixed(scheme, 0))]
  const [signer] = signers
  if (signers.length !== 1 || signer === undefined) throw new NotAnApk('it must have exactly one signer')
  const signed = prefixed(signer, 0)
  const digests = prefixed(signed, 0)
  const [certificate] = sequence(prefixed(signed, 4 + digests.length))
  if (certificate === undefined) throw new NotAnApk('its signature has no certificate')
  try {
    new X509Certificate(certificate)
  } catch {
    throw new NotAnApk('its certificate is damaged')
  }
  return createHash('sha256').update(certificate).digest('hex')
}

function prefixed(bytes: Buffer, at: number): Buffer {
  const length = bytes.readUInt32LE(at)
  if (at + 4 + length > bytes.length) throw new NotAnApk('its signing block is damaged')
  return bytes.subarray(at + 4, at + 4 + length)
}

function* sequence(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const item = prefixed(bytes, at)
    yield item
    at += 4 + item.length
  }
}
