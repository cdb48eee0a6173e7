import type { Params } from './form.ts'
import { get, invalid, put, type State, type Thing } from './state.ts'

/** A connected account without a bank account yet. */
export function createAccount(state: State, { type, email, metadata = {} }: Params): Thing {
  return put(state, 'acct', 'account', { type, email, metadata, capabilities: { transfers: 'inactive' } })
}

export function createAccountLink(state: State, { account, return_url: returnUrl }: Params): Thing {
  get(state, account, 'account')
  return { object: 'account_link', url: `https://connect.stripe.test/setup/${account}?return=${returnUrl}` }
}

export function createTransfer(state: State, params: Params): Thing {
  const account = get(state, params.destination, 'destination')
  if (account.capabilities.transfers !== 'active') {
    throw invalid('insufficient_capabilities_for_transfer', 'The account needs the transfers capability.')
  }
  const { transfer_group: group, currency, description, metadata = {} } = params
  return put(state, 'tr', 'transfer', {
    ...{ amount: Number(params.amount), amount_reversed: 0, currency, destination: account.id, description, metadata },
    transfer_group: group,
  })
}
