export * from './client.ts'
export * from './contract.ts'
export * from './errors.ts'
export * from './webhooks.ts'
