#!/usr/bin/env bash
# Validates the e-invoices of the tests by the schema and the schematron of EN 16931, and as PDF/A-3 by veraPDF (Mustang, from Maven Central; 53 MB). Needs a JDK and
# Maven, which `.ci/run` installs for Android. A negative control shows that the validator rejects a wrong total.
set -euo pipefail
cd "$(dirname "$0")/../.."
validator=org.mustangproject:validator:2.15.0:jar:shaded
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mvn -B -ntp -q dependency:copy -Dartifact=$validator -DoutputDirectory="$folder/lib"
TILLHOOK_TEST_E_INVOICES="$folder/xml" npm run --silent test:file -- server/src/money/documents/e-invoice.test.ts >"$folder/log" ||
  { cat "$folder/log"; exit 1; }
validate() { java -cp "$folder/lib/*" scripts/e-invoices/Validate.java "$1" 2>"$folder/errors"; }
validate "$folder/xml"
mkdir "$folder/wrong"
sed 's|<ram:GrandTotalAmount>[^<]*|<ram:GrandTotalAmount>99.99|' "$folder/xml/exclusive.xml" >"$folder/wrong/exclusive.xml"
if validate "$folder/wrong" >"$folder/log"; then
  echo 'negative control: a wrong total was valid'
  exit 1
fi
grep -q 'BR-CO-15' "$folder/log"
echo 'negative control: a wrong total is rejected by BR-CO-15'
