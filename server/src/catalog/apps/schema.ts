import { Type } from 'typebox'
import { APP_DISABLERS, APP_STATUSES, type App, MAX_CALLBACK_URLS, PACKAGE_NAME_PATTERN } from '../../core/app.ts'
import { toTimestamp } from '../../core/calendar.ts'
import { ICON_TYPES } from '../../core/icon.ts'
import { iconVersion } from '../../platform/http/icon-answer.ts'
import { AppUrn, appUrn, Line, Link, listFields, Text, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import type { NewKey } from './add-key.ts'
import type { ActiveKey } from './store.ts'

export const AppPath = Type.Object({ appId: AppUrn })

const CallbackUrls = Type.Array(Text(2048), { maxItems: MAX_CALLBACK_URLS })

const PublicKey = Type.Union([Text(16_384), Type.Object({})], {
  description: 'RSA public key of 2048 bits or more: PEM (PKCS#1 or SPKI) or JWK. Absent: a key pair is made.',
})

export const PackageName = Type.String({
  maxLength: 255,
  pattern: PACKAGE_NAME_PATTERN,
  description: 'package name of two parts or more, as com.example.app',
})

export const NewApp = Type.Object({
  organizationId: Uuid,
  name: Line(255),
  packageName: PackageName,
  callbackUrls: Type.Optional(CallbackUrls),
  publicKey: Type.Optional(PublicKey),
})

export const AppChanges = Type.Object({
  name: Type.Optional(Line(255)),
  callbackUrls: Type.Optional(CallbackUrls),
  status: Type.Optional(Type.Enum(APP_STATUSES)),
})

export const NewAppKey = Type.Object({ publicKey: Type.Optional(PublicKey) })

const Key = { kid: Type.String(), createdAt: Timestamp }
const ListedKey = Type.Object({
  ...Key,
  lastUsedAt: Type.Optional({
    ...Timestamp,
    description: 'When the key last signed a request for a token, at most an hour late. Absent: never.',
  }),
  lastUsedFrom: Type.Optional(Type.String({ description: 'IP address of the caller at `lastUsedAt`' })),
})
const PrivateKey = Type.Optional(Type.String({ description: 'PKCS#8 PEM. Returned only once.' }))

export const AppKeyAnswer = Type.Object({ ...Key, privateKey: PrivateKey })

/** Version of the icon: a prefix of its hash. */
export const IconQuery = Type.Object({ v: Type.Optional(Type.String({ maxLength: 64 })) })

/** Path of the icon. Another icon has another path. */
export function iconPath({ appId, icon }: Pick<App, 'appId' | 'icon'>): string | undefined {
  return icon === undefined ? undefined : `/apps/${appUrn(appId)}/icon?v=${iconVersion(icon.sha256)}`
}

const IconAnswer = Type.Object(
  { url: Type.String(), contentType: Type.Enum(ICON_TYPES), sha256: Type.String() },
  { description: 'Absent: merchants see its first letter' },
)

/** An app as terminals show it. */
export const AppShownAnswer = Type.Object({
  appId: AppUrn,
  packageName: Type.String(),
  name: Type.String(),
  developerName: Type.String(),
  icon: Type.Optional(IconAnswer),
  approvedApk: Type.Optional(
    Type.Object(
      { versionCode: Type.Integer(), signerSha256: Type.String(), permissions: Type.Array(Type.String()) },
      { description: 'The newest approved release, if it came with an APK' },
    ),
  ),
})

export const AppAnswer = Type.Object({
  appId: AppUrn,
  organizationId: Uuid,
  name: Type.String(),
  packageName: Type.String(),
  callbackUrls: Type.Array(Type.String()),
  status: Type.Enum(APP_STATUSES),
  disabledBy: Type.Optional(
    Type.Enum(APP_DISABLERS, { description: 'Absent while it is ACTIVE. OPERATOR: only the operator enables it.' }),
  ),
  icon: Type.Optional(IconAnswer),
  keys: Type.Array(ListedKey),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  kid: Type.Optional(Type.String()),
  privateKey: PrivateKey,
})

export const AppsQuery = Type.Object({
  organizationId: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum(APP_STATUSES)),
  ...listFields,
})

export const AppListAnswer = Type.Object({ apps: Type.Array(AppAnswer), links: Type.Array(Link) })

export function appToJson(app: App, keys: readonly ActiveKey[], baseUrl: string) {
  return {
    ...{ ...timestamped(app), ...iconToJson(app, baseUrl), appId: appUrn(app.appId) },
    keys: keys.map(({ kid, createdAt, lastUsedAt, lastUsedFrom }) => ({
      ...timestamped({ kid, createdAt, ...(lastUsedAt !== null && { lastUsedAt }) }),
      ...(lastUsedFrom !== null && { lastUsedFrom }),
    })),
  }
}

export function appShownToJson(app: App, { developerName, baseUrl }: { developerName: string; baseUrl: string }) {
  const { appId, packageName, name } = app
  return { appId: appUrn(appId), packageName, name, developerName, ...iconToJson(app, baseUrl) }
}

function iconToJson(app: App, baseUrl: string) {
  const path = iconPath(app)
  if (app.icon === undefined || path === undefined) return {}
  const { contentType, sha256 } = app.icon
  return { icon: { url: `${baseUrl}${path}`, contentType, sha256 } }
}

export function keyToJson({
  kid,
  createdAt,
  privateKey,
}: Pick<ActiveKey, 'kid' | 'createdAt'> & Pick<NewKey, 'privateKey'>) {
  return { kid, createdAt: toTimestamp(createdAt), ...privateKeyToJson({ privateKey }) }
}

/** Present only in the answer of the call that created the pair. */
export function privateKeyToJson({ privateKey }: { readonly privateKey?: string | undefined }) {
  return privateKey === undefined ? {} : { privateKey }
}
