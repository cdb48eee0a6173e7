/** Assignable roles, strongest first. */
export const OPERATOR_ROLES = ['ADMIN', 'VIEWER'] as const
export const DEVELOPER_ROLES = ['ADMIN', 'MEMBER', 'VIEWER'] as const
export const MERCHANT_ROLES = ['OWNER', 'MANAGER', 'VIEWER'] as const

/** An operator who has not verified a second factor can do nothing but set one up. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number] | 'MFA_REQUIRED'
export type DeveloperRole = (typeof DEVELOPER_ROLES)[number]
/** CLERK: only at a terminal. */
export type MerchantRole = (typeof MERCHANT_ROLES)[number] | 'CLERK'
