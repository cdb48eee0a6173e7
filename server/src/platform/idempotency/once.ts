import { createHash } from 'node:crypto'
import { principalName } from '../../core/principal.ts'
import { reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import type { Idempotency, KeyedRequest } from '../http/idempotency.ts'
import type { WireAnswer } from '../http/wire-answer.ts'
import type { Vault } from '../vault/vault.ts'
import { forgottenAt } from './kept.ts'
import { findKeptAnswer, type KeptAnswer, saveKeptAnswer, tryLockKey } from './store.ts'

const PURPOSE = 'idempotency'

/**
 * Decisions 1: the same caller, path, key and body within 24 h gets the first answer again, and nothing happens twice.
 * The answer is kept in the transaction of the work: whatever crashes, there are both or neither.
 */
export function createIdempotency({ db, clock, vault }: Pick<Ports, 'db' | 'clock' | 'vault'>): Idempotency {
  // Of bodies with a password or a passcode in them a plain hash at rest could be guessed at.
  const bodyHashOf = ({ body }: KeyedRequest) => vault.mark(PURPOSE, body)
  const again = (kept: KeptAnswer, bodyHash: Buffer) =>
    kept.bodyHash.equals(bodyHash)
      ? replayed(vault, kept)
      : reject('REQUEST_ID_DUPLICATE', 'This id was used with another body. Send a new id for a new request.')
  return {
    async find(request) {
      const bodyHash = bodyHashOf(request)
      const kept = await findKeptAnswer(db.sql, keyHashOf(request, bodyHash), forgottenAt(clock))
      return kept && again(kept, bodyHash)
    },

    once(request, work) {
      const bodyHash = bodyHashOf(request)
      const keyHash = keyHashOf(request, bodyHash)
      return db.transaction(async tx => {
        if (!(await tryLockKey(tx.sql, keyHash))) {
          return reject('REQUEST_IN_PROGRESS', 'Wait for the first request of this id, or repeat this one later.', {
            retryAfterSeconds: 1,
          })
        }
        // A statement after the lock's: it sees what the transaction that had the lock committed.
        const kept = await findKeptAnswer(tx.sql, keyHash, forgottenAt(clock))
        if (kept === null) {
          const answer = await work(tx)
          if (isKept(answer)) {
            await saveKeptAnswer(tx.sql, { keyHash, bodyHash, now: clock.now(), ...sealed(vault, answer) })
          }
          return answer
        }
        return again(kept, bodyHash)
      })
    },
  }
}

/** Decisions 1: "Kept are 2xx answers and rejections of a use case (409)". */
function isKept({ status }: WireAnswer): boolean {
  return (status >= 200 && status < 300) || status === 409
}

function sealed(vault: Vault, { status, headers, body }: WireAnswer): Pick<KeptAnswer, 'status' | 'answer'> {
  return { status, answer: vault.seal(PURPOSE, JSON.stringify({ headers, body })) }
}

function replayed(vault: Vault, { status, answer }: KeptAnswer): WireAnswer {
  const { headers, body } = JSON.parse(vault.openText(PURPOSE, answer)) as Pick<WireAnswer, 'headers' | 'body'>
  return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body }
}

/**
 * Of callers without a token nobody knows which is which, and two of them may count their requests from 1 each. Theirs is the
 * same request only with the same body, which at each such route holds what only its caller knows.
 */
function keyHashOf({ principal, method, path, params, key }: KeyedRequest, bodyHash: Buffer): Buffer {
  const caller = principal.kind === 'anonymous' ? [bodyHash.toString('hex')] : []
  return sha256(JSON.stringify([principalName(principal), method, path, params, key, ...caller]))
}

function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}
