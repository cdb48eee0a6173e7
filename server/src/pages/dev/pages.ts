import type { AnyPage } from '../../platform/http/page.ts'
import type { Ports } from '../../ports.ts'
import { appPages } from './apps.ts'
import { endpointPages } from './endpoints.ts'
import { homePage } from './home.ts'
import { releasePages } from './releases.ts'

/** A developer's pages. */
export function developerPages(ports: Ports): AnyPage[] {
  return [homePage(), ...appPages(ports), ...releasePages(ports), ...endpointPages(ports)]
}
