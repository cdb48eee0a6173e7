#!/usr/bin/env bash
# Builds the wheel, installs it into an empty environment, and tests the installed package: types, its own tests, and a program against a
# real service. Needs Python 3.10 or newer; where `venv` is missing, Debian's package is installed.
# Ends with the counts of passed and failed tests.
set -uo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$1"
  [ -f "$work/log" ] && tail -n 60 "$work/log"
  echo '# pass 0'
  echo '# fail 1'
  exit 1
}

command -v python3 >/dev/null || fail 'Python 3.10 or newer is needed: install python3'
python3 -c 'import venv, ensurepip' 2>/dev/null || {
  command -v apt-get >/dev/null && apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv
} >"$work/log" 2>&1 || fail 'python3-venv is missing'

python3 -m venv "$work/build" && "$work/build/bin/pip" install -q build >"$work/log" 2>&1 || fail 'pip could not install build'
"$work/build/bin/python" -m build --wheel --outdir "$work/dist" . >"$work/log" 2>&1 || fail 'the wheel could not be built'
rm -rf build src/*.egg-info
wheel=$(ls "$work"/dist/tillhook-*.whl)
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q "$wheel[flask,fastapi,django]" 'pytest>=8' 'mypy>=1.11' standardwebhooks svix >"$work/log" 2>&1 || fail 'the wheel could not be installed'

cp -r tests "$work/tests"
mkdir -p "$work/contract" && cp ../../contract/signatures.json "$work/contract"
export SDK_TEST_REPOSITORY=$(cd ../.. && pwd) SDK_TEST_CONTRACT="$work/contract"
types=0
"$work/venv/bin/mypy" --config-file pyproject.toml -p tillhook || types=1
cd "$work"
timeout 300 venv/bin/pytest -q -p no:cacheprovider tests | tee "$work/log"
passed=$(sed -nE 's/.*\b([0-9]+) passed.*/\1/p' "$work/log" | tail -n 1)
failed=$(sed -nE 's/.*\b([0-9]+) failed.*/\1/p' "$work/log" | tail -n 1)
errors=$(sed -nE 's/.*\b([0-9]+) errors?.*/\1/p' "$work/log" | tail -n 1)
failed=$((${failed:-0} + ${errors:-0} + types))
[ -n "${passed:-}" ] || failed=$((failed + 1))
echo "# pass ${passed:-0}"
echo "# fail $failed"
[ "$failed" = 0 ]
