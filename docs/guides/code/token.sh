# Signs an assertion with the app's key and exchanges it for an access token. Needs openssl and curl.
encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
now=$(date +%s)
header=$(printf '{"alg":"RS256","kid":"%s"}' "$TILLHOOK_KEY_ID" | encode)
claims=$(printf '{"iss":"%s","sub":"%s","aud":"%s","jti":"%s","iat":%d,"exp":%d}' "$TILLHOOK_APP_ID" \
  "$TILLHOOK_APP_ID" "$TILLHOOK_URL" "$(openssl rand -hex 16)" "$now" "$((now + 600))" | encode)
signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -sha256 -sign "$TILLHOOK_PRIVATE_KEY" -binary | encode)
curl -sS "$TILLHOOK_URL/token" \
  --data-urlencode 'grantType=urn:ietf:params:oauth:grant-type:jwt-bearer' \
  --data-urlencode "assertion=$header.$claims.$signature"
