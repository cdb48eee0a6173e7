import { accountPages } from '../access/accounts/pages.ts'
import { resetPages } from '../access/accounts/reset-pages.ts'
import { secondFactorPages } from '../access/accounts/second-factor-pages.ts'
import { deviceLoginPages } from '../access/device-logins/pages.ts'
import { invitationPages } from '../access/invitations/pages.ts'
import type { OperatorKey } from '../access/operator-keys/ensure-operator-key.ts'
import { signInPages } from '../access/sign-in/pages.ts'
import { signUpPages } from '../access/sign-up/pages.ts'
import type { TokenMemory } from '../access/tokens/token-memory.ts'
import type { CurrentBrand } from '../platform/brand/current.ts'
import type { AnyPage } from '../platform/http/page.ts'
import type { Ports } from '../ports.ts'
import type { EventStreams } from '../webhooks/event-streams/streams.ts'
import type { HookTests } from '../webhooks/notifications/test-hook.ts'
import { approvalPages } from './approval/pages.ts'
import { designPages } from './design/pages.ts'
import { developerPages } from './dev/pages.ts'
import { guidePages } from './guides/pages.ts'
import { landingPages } from './landing/pages.ts'
import { mailPreviewPages } from './mails/pages.ts'
import { merchantPages } from './merchant/pages.ts'
import { operatorPages } from './ops/pages.ts'
import type { SystemReadings } from './ops/system.ts'
import { peoplePages } from './people/pages.ts'
import { purchasePages } from './purchase/pages.ts'
import { shellPages } from './shell/pages.ts'
import { testBankPages } from './simulator/bank.ts'
import { framed, simulatorPages } from './simulator/pages.ts'
import { webhookPages } from './webhooks/pages.ts'

/** The pages of every slice. The order has no meaning. */
export function allPages(
  ports: Ports &
    TokenMemory &
    HookTests & {
      readonly operatorKey: OperatorKey
      readonly currentBrand: CurrentBrand
      readonly streams: EventStreams
      readonly system: SystemReadings
    },
  hasSimulator: boolean,
): AnyPage[] {
  return [
    ...landingPages(ports, { hasSimulator }),
    ...guidePages(),
    ...developerPages(ports, { hasSimulator }),
    ...merchantPages(ports),
    ...mailPreviewPages(),
    ...operatorPages(ports),
    ...peoplePages(ports),
    ...webhookPages(ports),
    ...shellPages(ports),
    ...(hasSimulator ? [...simulatorPages(ports), ...framed(purchasePages(ports))] : purchasePages(ports)),
    ...framed(testBankPages(ports)),
    ...designPages(),
    ...approvalPages(ports),
    ...signInPages(ports),
    ...deviceLoginPages(ports),
    ...signUpPages(ports),
    ...invitationPages(ports),
    ...resetPages(ports),
    ...accountPages(ports),
    ...secondFactorPages(ports),
  ]
}
