/* The terminal's connection to the service: activated once, authenticated by its key, with or without a signed-in user. Decisions 9. */
import { findTerminal, forgetTerminal, keepTerminal, makeKey, signAssertion } from './keys.js'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/**
 * @typedef {import('./calls.js').Answer} Answer
 * @typedef {{ sessionToken: string, user: { name: string } }} Session
 * @typedef {ReturnType<typeof createTerminal>} Terminal
 */

/**
 * `onRevoked(answer)`: the service no longer knows the key. `onSignedOut()`: the session ended without sign-out.
 * @param {object} ports
 * @param {ReturnType<typeof import('./calls.js').createCalls>} ports.calls
 * @param {string} ports.audience
 * @param {(answer: Answer) => void} ports.onRevoked
 * @param {() => void} ports.onSignedOut
 */
export function createTerminal({ calls, audience, onRevoked, onSignedOut }) {
  /** @type {import('./keys.js').KeptTerminal | undefined} */
  let kept
  /** @type {{ accessToken: string, refreshToken: string } | undefined} */
  let tokens
  /** @type {Session | undefined} */
  let session

  /**
   * One renewal at a time: concurrent calls wait for the same tokens.
   * @type {Promise<Answer> | undefined}
   */
  let renewal
  const renew = () => {
    renewal ??= newTokens().finally(() => {
      renewal = undefined
    })
    return renewal
  }

  /** Interface, Cloud apps 5: the refresh grant first, the key if it fails. */
  async function newTokens() {
    if (tokens) {
      const form = { grantType: 'REFRESH_TOKEN', refreshToken: tokens.refreshToken }
      const refreshed = await calls.send('POST', '/token', { form })
      if (refreshed.status === 200) {
        tokens = refreshed.body
        return refreshed
      }
    }
    tokens = undefined
    if (!kept) throw new Error('The terminal has no key: activate it first.')
    const assertion = await signAssertion(kept, audience)
    const answer = await calls.send('POST', '/token', { form: { grantType: JWT_BEARER, assertion } })
    if (answer.status === 200) tokens = answer.body
    if (answer.body?.code === 'INVALID_ASSERTION') {
      session = undefined
      onRevoked(answer)
    }
    return answer
  }

  /**
   * Interface, Errors 1: after a 401 the terminal gets a new token and repeats the call once. `as`: the session of the call, which may be
   * about to end.
   * @param {string} method @param {string} path
   * @param {{ as?: Session, body?: object, requestId?: string }} call
   * @returns {Promise<Answer>}
   */
  async function ask(method, path, { as = session, ...more } = {}) {
    if (!tokens) {
      const answer = await renew()
      if (!tokens) return answer
    }
    const used = tokens
    const send = () => calls.send(method, path, { ...more, bearer: tokens?.accessToken, userSession: as?.sessionToken })
    const answer = await send()
    if (answer.status !== 401) return answer
    if (answer.body?.code === 'INVALID_USER_SESSION') return signedOut(answer, as)
    if (used === tokens) {
      const renewed = await renew()
      if (!tokens) return renewed
    }
    return send()
  }

  /** @param {Answer} answer @param {Session | undefined} as */
  function signedOut(answer, as) {
    // A late answer concerns the previous user.
    if (session && session === as) {
      session = undefined
      onSignedOut()
    }
    return answer
  }

  return {
    ask,
    get name() {
      return kept?.name
    },
    get user() {
      return session?.user
    },
    /** Restores a stored key. Returns false if the terminal was never activated here. */
    async wake() {
      kept = await findTerminal()
      return kept !== undefined
    },
    /** Exchanges the code for a new key; the previous key ends. @param {string} activationCode */
    async activate(activationCode) {
      const { privateKey, publicKey } = await makeKey()
      const answer = await calls.send('POST', '/devices/activate', { body: { activationCode, publicKey } })
      if (answer.status === 201) {
        const activated = { ...answer.body, privateKey }
        kept = activated
        tokens = undefined
        await keepTerminal(activated)
      }
      return answer
    },
    async forget() {
      await forgetTerminal()
      kept = tokens = session = undefined
    },
    /** @param {string} userId @param {string} passcode */
    async signIn(userId, passcode) {
      const answer = await ask('POST', '/terminal/sessions', { body: { userId, passcode } })
      if (answer.status === 201) session = answer.body
      return answer
    },
    /**
     * Signs out locally at once; `last` may still use the session. If the service does not hear of it, the session ends after 15 idle
     * minutes.
     * @param {(as: Session) => Promise<void>} [last]
     */
    async signOut(last) {
      const as = session
      session = undefined
      if (!as) return
      await last?.(as)
      await ask('DELETE', '/terminal/sessions/current', { as })
    },
  }
}
