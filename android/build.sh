#!/usr/bin/env bash
# Builds billing.aar, billing.jar, store.apk and sample.apk into android/build with Debian's and Maven Central's tools: no Gradle, no Android SDK.
# Signs with a debug key that is made here. A platform signs with its own key (README).
set -euo pipefail
cd "$(dirname "$0")"
OUT=$PWD/build
M2=$HOME/.m2/repository
MIN_SDK=24
TARGET_SDK=34
ANDROID_ALL=14-robolectric-10818077
VERSION=$(sed -n 's/^storeVersion=//p' gradle.properties)
VERSION_CODE=$(sed -n 's/^storeVersionCode=//p' gradle.properties)

step() { echo "$1 ($SECONDS s)"; }

missing() { for tool in javac mvn aidl aapt2 aapt apksigner zipalign dexdump unzip; do command -v "$tool" >/dev/null || return 0; done; return 1; }
if missing; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    default-jdk-headless maven aidl aapt apksigner zipalign dexdump unzip >/dev/null
fi

# Prints the path of an artifact, downloaded where it is missing: group, artifact, version, type, transitive.
fetch() {
  local path=$M2/${1//.//}/$2/$3/$2-$3.$4
  [ -s "$path" ] || mvn -q -B -ntp dependency:get -Dtransitive="${5:-false}" -Dartifact="$1:$2:$3:$4" >&2
  echo "$path"
}
ALL=$(fetch org.robolectric android-all $ANDROID_ALL jar)
DX=$(fetch com.jakewharton.android.repackaged dalvik-dx 14.0.0_r21 jar)
API=$(fetch com.toasttab.android gummy-bears-api-$MIN_SDK 0.5.1 signature)
SNIFFER=$(fetch org.codehaus.mojo animal-sniffer-ant-tasks 1.24 jar true)
SNIFFER=$(dirname "$SNIFFER")/../../animal-sniffer/1.24/animal-sniffer-1.24.jar
ASM=$(find "$M2/org/ow2/asm/asm" -name 'asm-9*.jar' | sort -V | tail -n 1)

rm -rf "$OUT/aidl" "$OUT/client" "$OUT/store" "$OUT/sample" "$OUT/tests" "$OUT"/*.apk* "$OUT"/*.aar "$OUT"/*.jar
mkdir -p "$OUT"

# The tests run on these levels of Android, and need the insides of three libraries that come as AAR.
mkdir -p "$OUT"/{sdk,libraries}
for level in 14-robolectric-10818077-i7 7.0.0_r1-robolectric-r1-i7; do
  ln -sf "$(fetch org.robolectric android-all-instrumented $level jar)" "$OUT/sdk/"
done
aar() { [ -d "$OUT/libraries/$2" ] || unzip -q -o "$(fetch "$1" "$2" "$3" aar)" -d "$OUT/libraries/$2"; }
aar androidx.test monitor 1.8.0
aar androidx.test.espresso espresso-idling-resource 3.7.0
aar androidx.tracing tracing 1.1.0
step 'tools'

# Java 8 without lambdas and default methods: dx does not desugar.
compile() { javac -nowarn -Xlint:-options --release 8 -encoding UTF-8 -g "$@" 2> >(grep -v '^Note:' >&2); }
sources() { find "$@" -name '*.java'; }

mkdir -p "$OUT"/aidl/{gen,classes} "$OUT/client/classes"
for file in billing-aidl/src/main/aidl/com/service/store/I*.aidl; do
  aidl -I billing-aidl/src/main/aidl -p tools/framework.aidl -o "$OUT/aidl/gen" "$file"
done
compile -cp "$ALL" -d "$OUT/aidl/classes" $(sources "$OUT/aidl/gen" billing-aidl/src/main/java)
compile -cp "$ALL:$OUT/aidl/classes" -d "$OUT/client/classes" $(sources billing-client/src/main/java)
mkdir -p "$OUT/client/aar"
cp -r billing-aidl/src/main/aidl "$OUT/client/aar/aidl"
sed "s/<manifest /<manifest package=\"com.service.billing\" /" billing-client/src/main/AndroidManifest.xml >"$OUT/client/aar/AndroidManifest.xml"
: >"$OUT/client/aar/R.txt"
jar cf "$OUT/client/aar/classes.jar" -C "$OUT/aidl/classes" . -C "$OUT/client/classes" .
jar cfM "$OUT/billing.aar" -C "$OUT/client/aar" .
cp "$OUT/client/aar/classes.jar" "$OUT/billing.jar"
step 'billing.aar'

KEY=$OUT/debug.p12
[ -s "$KEY" ] || keytool -genkeypair -keystore "$KEY" -storetype PKCS12 -storepass android -alias debug -keyalg RSA -keysize 2048 \
  -validity 9000 -dname CN=debug >/dev/null 2>&1

# Module, package, further folders of classes.
apk() {
  local module=$1 package=$2 out=$OUT/$1
  shift 2
  mkdir -p "$out"/{gen,classes,dex}
  sed "s/<manifest /<manifest package=\"$package\" /" "$module/src/main/AndroidManifest.xml" >"$out/AndroidManifest.xml"
  aapt2 compile --dir "$module/src/main/res" -o "$out/resources.zip"
  # Debian's aapt2 does not know <queries> and newer chunks of the framework: both are warnings.
  aapt2 link -o "$out/resources.ap_" -I "$ALL" --manifest "$out/AndroidManifest.xml" --java "$out/gen" \
    --min-sdk-version $MIN_SDK --target-sdk-version $TARGET_SDK --version-code "$VERSION_CODE" --version-name "$VERSION" \
    --warn-manifest-validation "$out/resources.zip" 2>"$out/aapt2.log" || { cat "$out/aapt2.log"; return 1; }
  compile -cp "$ALL:$OUT/aidl/classes:$OUT/client/classes" -d "$out/classes" $(sources "$module/src/main/java" "$out/gen")
  java -cp "$DX" com.android.dx.command.Main --dex --min-sdk-version=$MIN_SDK --output="$out/dex/classes.dex" "$out/classes" "$@"
  cp "$out/resources.ap_" "$out/unsigned.apk"
  jar ufM "$out/unsigned.apk" -C "$out/dex" classes.dex
  zipalign -f 4 "$out/unsigned.apk" "$out/aligned.apk"
  apksigner sign --ks "$KEY" --ks-pass pass:android --min-sdk-version $MIN_SDK --out "$OUT/$module.apk" "$out/aligned.apk"
  rm -f "$OUT/$module.apk.idsig"
  step "$module.apk, $(stat -c %s "$OUT/$module.apk") bytes"
}
apk store com.service.store "$OUT/aidl/classes"
apk sample com.service.sample "$OUT/aidl/classes" "$OUT/client/classes"

# The tests see the resources of both apps, under one table of ids.
mkdir -p "$OUT/tests/gen"
aapt2 link -o "$OUT/tests/resources.ap_" -I "$ALL" --manifest "$OUT/store/AndroidManifest.xml" --java "$OUT/tests/gen" \
  --extra-packages com.service.sample --min-sdk-version $MIN_SDK --target-sdk-version $TARGET_SDK --warn-manifest-validation \
  "$OUT/store/resources.zip" "$OUT/sample/resources.zip" 2>"$OUT/tests/aapt2.log" || { cat "$OUT/tests/aapt2.log"; exit 1; }

# What can be said about an APK without a device.
for module in store sample; do
  apksigner verify --min-sdk-version $MIN_SDK "$OUT/$module.apk"
  zipalign -c 4 "$OUT/$module.apk"
done
dexdump "$OUT/store/dex/classes.dex" >"$OUT/store/dex.txt"
grep -q 'Lcom/service/store/IServiceInAppBillingService$Stub;' "$OUT/store/dex.txt"
aapt dump xmltree "$OUT/store.apk" AndroidManifest.xml >"$OUT/store/manifest.txt"
grep -q 'com.service.store.ServiceInAppBillingService.BIND' "$OUT/store/manifest.txt"
[ "$(stat -c %s "$OUT/store.apk")" -lt 300000 ] || { echo 'store.apk: is larger than 300 KB'; exit 1; }
java -cp "$SNIFFER:$ASM" tools/ApiCheck.java "$API" "$OUT"/{aidl,client,store,sample}/classes
step 'checks'
