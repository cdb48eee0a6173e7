#!/usr/bin/env bash
# Builds the Android modules and runs their tests on the JVM, on a machine that has only Debian. Ends with `# pass N` and `# fail N`.
set -uo pipefail
cd "$(dirname "$0")"
./build.sh || { echo '# pass 0'; echo '# fail 1'; exit 1; }
reports=tests/target/surefire-reports
rm -rf "$reports"
(cd tests && mvn -B -ntp -q test)
exit=$?
read -r tests failed < <(cat "$reports"/*.txt 2>/dev/null | sed -nE 's/^Tests run: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+), Skipped: ([0-9]+),.*/\1 \2 \3 \4/p' |
  awk '{ run += $1; bad += $2 + $3 + $4 } END { print run + 0, bad + 0 }')
[ "$exit" = 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "# pass $((tests - failed > 0 ? tests - failed : 0))"
echo "# fail $failed"
[ "$failed" = 0 ]
