#!/usr/bin/env bash
# Makes the APKs beside this file, with Debian's aapt2, zipalign and apksigner, a JDK, and android-all.jar of Robolectric as $1.
# The keys are thrown away: a new run changes every signer, and the hashes in the tests with it.
set -euo pipefail
framework=$1
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/res/{values,values-de,mipmap-mdpi,mipmap-xxhdpi}
echo '<resources><string name="app_name">Till helper</string></resources>' >"$work/res/values/strings.xml"
echo '<resources><string name="app_name">Kassenhilfe</string></resources>' >"$work/res/values-de/strings.xml"
python3 - "$work" <<'PY'
import struct, sys, zlib
def png(side):
    chunk = lambda name, data: struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
    row = b'\0' + b'\x2e\x7d\x32' * side
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', side, side, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(row * side)) + chunk(b'IEND', b'')
for density, side in (('mdpi', 48), ('xxhdpi', 144)):
    open(f'{sys.argv[1]}/res/mipmap-{density}/icon.png', 'wb').write(png(side))
PY
aapt2 compile --dir "$work/res" -o "$work/res.zip"
for key in one two; do
  keytool -genkeypair -keystore "$work/$key.p12" -storetype PKCS12 -storepass password -alias "$key" -keyalg RSA -keysize 2048 -validity 9000 -dname "CN=$key" 2>/dev/null
done
build() { # name, version code, further permission
  cat >"$work/manifest.xml" <<XML
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.till" android:versionCode="$2" android:versionName="1.$2">
  <uses-permission android:name="com.service.store.BILLING" />
  <uses-permission android:name="$3" />
  <application android:label="@string/app_name" android:icon="@mipmap/icon" />
</manifest>
XML
  aapt2 link -o "$work/$1.apk" -I "$framework" --manifest "$work/manifest.xml" --min-sdk-version 21 --target-sdk-version 34 "$work/res.zip" 2>/dev/null
  zipalign -f 4 "$work/$1.apk" "$work/$1.aligned"
}
sign() { # name, input, arguments of apksigner
  local name=$1 input=$2
  shift 2
  apksigner sign "$@" --in "$work/$input.aligned" --out "$name.apk"
  rm -f "$name.apk.idsig"
}
one=(--ks "$work/one.p12" --ks-pass pass:password)
two=(--ks "$work/two.p12" --ks-pass pass:password)
build first 1 android.permission.CAMERA
build second 2 android.permission.NFC
sign version-1 first "${one[@]}"
sign version-2 second "${one[@]}"
sign version-2-another-signer second "${two[@]}"
sign v1-only first "${one[@]}" --v2-signing-enabled false --v3-signing-enabled false
sign two-signers first "${one[@]}" --next-signer "${two[@]}" --v3-signing-enabled false
cp "$work/first.aligned" unsigned.apk
