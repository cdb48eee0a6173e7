#!/usr/bin/env bash
# Builds the JAR, installs it into the local Maven repository, and tests the installed JAR in an empty project: the conformance suite, its own
# tests, handlers in Tomcat and Spring, and a program against a real service. Needs `npm ci`, Java 17 or newer and Maven; where these two are
# missing, Debian's packages are installed.
# Ends with the counts of passed and failed tests.
set -uo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work" ~/.m2/repository/com/tillhook' EXIT

fail() {
  echo "$1"
  [ -f "$work/log" ] && tail -n 60 "$work/log"
  echo '# pass 0'
  echo '# fail 1'
  exit 1
}

command -v javac >/dev/null && command -v mvn >/dev/null || {
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends default-jdk-headless maven
} >"$work/log" 2>&1 || fail 'Java 17 and Maven are needed'

# Maven writes into the folder that it builds.
cp -r pom.xml src "$work/"
(cd "$work" && mvn -q -B -ntp install) >"$work/log" 2>&1 || fail 'the JAR could not be built'
jar=$(ls "$work"/target/tillhook-sdk-*[0-9].jar)
echo "tillhook-sdk: $(stat -c %s "$jar") bytes"
version=$(basename "$jar" .jar)

cp -r tests "$work/tests"
cp ../../docs/guides/code/Verify.java "$work/tests/src/test/java"
export SDK_TEST_REPOSITORY=$(cd ../.. && pwd)
cd "$work/tests"
timeout 600 mvn -q -B -ntp test "-Dsdk.version=${version#tillhook-sdk-}" >"$work/log" 2>&1
exit=$?
[ "$exit" = 0 ] || tail -n 100 "$work/log"
read -r tests failed < <(sed -nE 's/^Tests run: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+), Skipped: ([0-9]+),.*/\1 \2 \3 \4/p' target/surefire-reports/*.txt |
  awk '{ run += $1 - $4; bad += $2 + $3 } END { print run + 0, bad + 0 }')
[ "$exit" = 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "# pass $((tests - failed > 0 ? tests - failed : 0))"
echo "# fail $failed"
[ "$failed" = 0 ]
