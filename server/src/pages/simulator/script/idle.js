/* Decisions 9: "sessions end after 15 idle minutes". The service holds it; the terminal locks its screen. */
const IDLE_MS = 15 * 60_000

const TOUCHES = ['pointerdown', 'keydown', 'input']

/**
 * `onIdle` is called once, after 15 minutes without a touch. `watch(target)`: touches there count.
 * @typedef {ReturnType<typeof createIdleWatch>} IdleWatch
 * @param {{ onIdle(): void }} listener
 */
export function createIdleWatch({ onIdle }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let isWatching = false

  function touched() {
    if (!isWatching) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      isWatching = false
      onIdle()
    }, IDLE_MS)
  }

  return {
    /** @param {EventTarget} target */
    watch(target) {
      for (const touch of TOUCHES) target.addEventListener(touch, touched)
    },
    start() {
      isWatching = true
      touched()
    },
    stop() {
      isWatching = false
      clearTimeout(timer)
    },
  }
}
