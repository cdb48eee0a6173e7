import Stripe from 'stripe'
import {
  isMissing,
  once,
  openAccount,
  orUnknown,
  orUnreachable,
  type StripeAccount,
  type StripeOptions,
} from '../gateway/stripe/client.ts'
import { fromStripe, toStripe } from '../gateway/stripe/money.ts'
import type { TransferOutcome, TransferRequest, Transfers } from './transfers.ts'

/** Stripe Connect with Express accounts: Stripe collects the bank account and identifies the owner. */
export function createStripeConnect(options: StripeOptions): Transfers {
  const account = openAccount(options)
  const { api } = account
  return {
    openAccount: ({ organizationId, name, email, closedAccountId }) =>
      orUnreachable(async () => {
        const made = await once(`payout-account:${closedAccountId ?? organizationId}`, idempotencyKey =>
          api.accounts.create(
            {
              type: 'express',
              ...(email === '' ? {} : { email }),
              business_profile: { name },
              capabilities: { transfers: { requested: true } },
              metadata: { organizationId },
            },
            { idempotencyKey },
          ),
        )
        return made.id
      }),
    onboardingUrl: ({ accountId, returnUrl }) =>
      orUnreachable(async () => {
        const urls = { return_url: returnUrl, refresh_url: returnUrl }
        return (await api.accountLinks.create({ account: accountId, type: 'account_onboarding', ...urls })).url
      }),
    readAccount: accountId => orUnreachable(() => readAccount(account, accountId)),
    transfer: request => orUnknown(() => transfer(account, request)),
    findReversed: providerTransferId =>
      orUnreachable(async () => {
        const { amount_reversed: reversed, currency } = await api.transfers.retrieve(providerTransferId)
        return fromStripe(reversed, currency.toUpperCase())
      }),
  }
}

async function readAccount({ api }: StripeAccount, accountId: string): ReturnType<Transfers['readAccount']> {
  try {
    const { capabilities } = await api.accounts.retrieve(accountId)
    return capabilities?.transfers === 'active' ? 'READY' : 'INCOMPLETE'
  } catch (error) {
    // 403 account_invalid: disconnected from the platform. 404: deleted.
    const isDisconnected = error instanceof Stripe.errors.StripePermissionError && error.code === 'account_invalid'
    if (!isDisconnected && !isMissing(error)) throw error
    return 'CLOSED'
  }
}

/**
 * The look-up by `transfer_group` precedes each call, because Stripe may forget an idempotency key after a day. Two
 * concurrent calls have the same key.
 */
async function transfer({ api }: StripeAccount, request: TransferRequest): Promise<TransferOutcome> {
  const { transferId, accountId, currency, description } = request
  const amount = toStripe(request.amount, currency)
  if (typeof amount !== 'number') return { kind: 'declined', reason: amount.declined }
  const find = async () => (await api.transfers.list({ transfer_group: transferId, limit: 1 })).data[0] ?? null
  const make = (idempotencyKey: string) =>
    api.transfers.create(
      {
        ...{ amount, currency: currency.toLowerCase(), destination: accountId, description },
        ...{ transfer_group: transferId, metadata: { transferId } },
      },
      { idempotencyKey },
    )
  try {
    const made = (await find()) ?? (await once(`payout:${transferId}`, make, find))
    return { kind: 'made', providerTransferId: made.id }
  } catch (error) {
    const isFinal =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409 && error.statusCode !== 429
    if (!isFinal) throw error
    return { kind: 'declined', reason: error.code ?? 'invalid_request' }
  }
}
