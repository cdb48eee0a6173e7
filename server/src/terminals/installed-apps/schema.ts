import { Type } from 'typebox'
import { PackageName } from '../../catalog/apps/schema.ts'
import { permissionsToApprove } from '../../core/installed-app.ts'
import { AppUrn, appUrn, Line, Timestamp, timestamped } from '../../platform/http/wire.ts'
import type { InstalledWithApproved } from './store.ts'

export const PackagePath = Type.Object({ packageName: PackageName })

const Permissions = Type.Array(Line(255), { maxItems: 500 })

export const InstallBody = Type.Object({
  version: Line(255),
  signerSha256: Type.String({
    pattern: '^[0-9a-fA-F]{64}$',
    description: 'SHA-256 of the certificate that signed the package, in hexadecimal digits',
  }),
  permissions: Permissions,
})

export const PermissionsBody = Type.Object({ permissions: Permissions })

export const InstalledAppAnswer = Type.Object({
  appId: AppUrn,
  packageName: Type.String(),
  version: Type.String(),
  signerSha256: Type.String(),
  permissions: Type.Array(Type.String()),
  permissionsToApprove: Type.Array(Type.String(), {
    description: 'Until a manager approves these, the calls of the app are rejected',
  }),
  installedAt: Timestamp,
  updatedAt: Timestamp,
})

export function installedToJson(packageName: string, installed: InstalledWithApproved) {
  const { appId, version, signerSha256, permissions, approved, installedAt, updatedAt } = installed
  return timestamped({
    ...{ appId: appUrn(appId), packageName, version, signerSha256, permissions: [...permissions] },
    ...{ permissionsToApprove: permissionsToApprove(permissions, approved), installedAt, updatedAt },
  })
}
