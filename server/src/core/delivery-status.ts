/** Progress of a notification as the history shows it. Source: decisions 7, History. */
export const DELIVERY_STATUSES = ['SCHEDULED', 'ERRORED_RETRYING', 'DELIVERED', 'ERRORED'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
