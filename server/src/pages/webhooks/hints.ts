import type { FailureReason } from '../../platform/egress/failure.ts'
import type { Attempt } from '../../webhooks/deliveries/attempt.ts'

const BY_REASON: Readonly<Record<FailureReason | 'redirect', string>> = {
  timeout:
    'An endpoint has 2 seconds, DNS and TLS included. Answer 200 as soon as the event is stored, and do the work afterwards.',
  refused:
    'Nothing listens at this address and port. Check that the listener runs and that no firewall rejects the connection.',
  dns: 'The host name has no address. Check the spelling and the DNS record.',
  tls: 'The certificate is expired, is for another name, or its chain is incomplete. Check it with an online TLS test.',
  private_address:
    'The address is not public. For a listener on your computer use `tillhook listen`; an operator may allow networks with TILLHOOK_ALLOWED_NETWORKS.',
  redirect: 'Redirects are not followed. Enter the final URL in the settings of the endpoint.',
  reset: 'The connection was closed before an answer. The listener or a proxy before it may have crashed or restarted.',
  protocol: 'The answer was not HTTP. Check that the port belongs to the web server, not to another service.',
}

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'The listener did not understand the request. Verify the raw bytes of the body before you parse them.',
  401: 'The listener rejected the signature. Check that it uses the secret of this endpoint and the raw bytes of the body.',
  403: 'The listener or a firewall rejected the request. Check the secret, and that the firewall lets POST requests in.',
  404: 'Nothing is at this path. Check the URL of the endpoint.',
  405: 'The path exists but takes no POST. Check the route of the listener.',
  410: 'The listener says that it is gone. After 24 hours of 410 the endpoint is disabled.',
  413: 'The listener limits the size of a body to less than a notification has.',
  429: 'The listener limits the rate. The next attempt honours Retry-After up to twice the normal wait.',
}

/** Advice for a failed attempt. */
export function hintOf({ httpStatus, reason }: Attempt): string | undefined {
  if (httpStatus === 200) return undefined
  if (reason !== undefined) return BY_REASON[reason as keyof typeof BY_REASON]
  if (httpStatus === undefined) return undefined
  const known = BY_STATUS[httpStatus]
  if (known !== undefined) return known
  if (httpStatus < 300) return 'Only HTTP 200 acknowledges a delivery. Answer 200.'
  return httpStatus >= 500
    ? 'The listener failed. Its log at the time of the attempt has the reason; search for the Service-Request-Id.'
    : 'The listener rejected the request. Its answer below may say why.'
}
