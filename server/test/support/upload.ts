import { createHash, randomUUID } from 'node:crypto'
import { PLAN } from './tenants.ts'
import { type Answer, OPERATOR_KEY, type World } from './world.ts'

export interface Part {
  readonly name: string
  readonly content: string | Buffer
  readonly type?: string
  readonly filename?: string
}

export const BOUNDARY = 'between-the-parts'
export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

export const RELEASE: Part = {
  name: 'release',
  type: 'application/json',
  content: JSON.stringify({ version: '1.0', plans: [PLAN], packageKind: 'OTHER' }),
}

export const packageOf = (content: string | Buffer): Part => ({
  ...{ name: 'package', content, type: 'application/zip', filename: 'till.zip' },
})

/** A body of multipart/form-data as RFC 7578 has it. */
export function multipart(parts: readonly Part[]): Buffer {
  const written = parts.flatMap(({ name, content, type, filename }) => [
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n` +
        `${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** A change of an app together with its icon. */
export function sendIcon(
  world: World,
  bearer: string,
  { appId, icon, app = {}, type = 'image/png' }: { appId: string; icon: Buffer; app?: object; type?: string },
): Promise<Answer> {
  return world.ask(bearer, 'PATCH', `/apps/${appId}`, { body: iconForm(app, icon, type), headers: MULTIPART })
}

/** The operator's brand together with its logo. */
export function sendLogo(world: World, brand: object, logo: Buffer): Promise<Answer> {
  const body = multipart([
    { name: 'brand', type: 'application/json', content: JSON.stringify(brand) },
    // Names and types are the sender's words.
    { name: 'logo', type: 'image/svg+xml', content: logo, filename: 'logo.png' },
  ])
  return world.ask(OPERATOR_KEY, 'PUT', '/brand', { body, headers: MULTIPART })
}

export function iconForm(app: object, icon: Buffer, type = 'image/png'): Buffer {
  return multipart([
    { name: 'app', type: 'application/json', content: JSON.stringify(app) },
    // Names and types are the sender's words.
    { name: 'icon', type, content: icon, filename: 'icon.svg' },
  ])
}

/** A release of one plan, with its package. */
export function uploadRelease(world: World, bearer: string, appId: string, content: Buffer): Promise<Answer> {
  const body = multipart([RELEASE, packageOf(content)])
  const headers = { ...MULTIPART, 'idempotency-key': randomUUID() }
  return world.ask(bearer, 'POST', `/apps/${appId}/releases`, { body, headers })
}

/** A file as the server gives it to a use case. */
export function fileOf(content: Buffer) {
  return {
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    contentType: 'application/octet-stream',
    async *chunks() {
      yield content
    },
    async read(position: number, length: number) {
      if (position < 0 || position + length > content.length) throw new RangeError('beyond the end of the file')
      return content.subarray(position, position + length)
    },
  }
}
