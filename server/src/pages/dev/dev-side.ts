import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Side } from '../subscriptions/side.ts'
import { devPage, framed } from './dev-page.ts'

/** Subscriptions and invoices of the organization's apps. */
export const DEV_SIDE: Side = {
  paths: DEVELOPER_PATHS,
  page: devPage,
  framed,
  nameOf: page => page,
  whose: 'your apps',
  developer: 'your organization',
}
