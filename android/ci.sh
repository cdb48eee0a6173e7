#!/usr/bin/env bash
# Builds the Android modules and runs their tests on the JVM, on a machine that has only Debian; the end-to-end test needs `npm ci` and
# Chromium as well. Ends with `# pass N` and `# fail N`.
set -uo pipefail
cd "$(dirname "$0")"
./build.sh || { echo '# pass 0'; echo '# fail 1'; exit 1; }
reports=tests/target/surefire-reports
rm -rf "$reports"
log=$PWD/build/tests/maven.log
(cd tests && mvn -B -ntp -q test) >"$log" 2>&1
exit=$?
[ "$exit" = 0 ] || cat "$log"
sed -n '/^measured: /p' "$reports"/*-output.txt
echo "tests ($SECONDS s)"
read -r tests failed < <(sed -nE 's/^Tests run: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+), Skipped: ([0-9]+),.*/\1 \2 \3 \4/p' "$reports"/*.txt |
  awk '{ run += $1; bad += $2 + $3 + $4 } END { print run + 0, bad + 0 }')
[ "$exit" = 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "# pass $((tests - failed > 0 ? tests - failed : 0))"
echo "# fail $failed"
[ "$failed" = 0 ]
