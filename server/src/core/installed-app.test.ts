import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApprovedApk, checkInstall, permissionsToApprove } from './installed-app.ts'

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)]
const apk = (signerSha256: string, ...permissions: string[]): ApprovedApk => ({
  versionCode: 1,
  signerSha256,
  permissions,
})

const cases: readonly [string, readonly [string, ...string[]], readonly ApprovedApk[], boolean][] = [
  ['no approved release has an APK', [A, 'CAMERA'], [], true],
  ['the signer and the permissions are those of the release', [A, 'CAMERA'], [apk(A, 'CAMERA', 'NFC')], true],
  ['an earlier release declared the permissions', [A, 'CAMERA'], [apk(A, 'NFC'), apk(A, 'CAMERA')], true],
  ['another signer', [B], [apk(A)], false],
  ['another signer, with permissions of the release', [B, 'CAMERA'], [apk(A, 'CAMERA')], false],
  ['a permission that no release declared', [A, 'CAMERA'], [apk(A, 'NFC')], false],
  ['permissions of two releases together', [A, 'CAMERA', 'NFC'], [apk(A, 'NFC'), apk(A, 'CAMERA')], false],
]
for (const [what, [signerSha256, ...permissions], approved, isAccepted] of cases) {
  test(`an install is ${isAccepted ? 'accepted' : 'rejected'}: ${what}`, () => {
    const rejection = checkInstall({ signerSha256, permissions }, approved)
    assert.equal(rejection?.rejected, isAccepted ? undefined : 'RELEASE_NOT_APPROVED')
  })
}

test('missing approvals are listed in the order of the declaration', () => {
  assert.deepEqual(permissionsToApprove(['A', 'B', 'C'], ['B', 'D']), ['A', 'C'])
})
