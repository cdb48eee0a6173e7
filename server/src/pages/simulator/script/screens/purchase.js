import { show } from '../screen.js'

/**
 * The purchase screen, above the app. It ends when the merchant goes back, or cancels on the screen; `onResult` is told how, as
 * the interface says. Whatever the screen shows, the terminal asks the service what became of the purchase.
 */
export function purchaseScreen({ billing, idle, intent, onResult }) {
  const screen = show('purchase')
  const frame = screen.querySelector('[data-frame]')
  let hasEnded = false

  function end(status) {
    if (hasEnded) return
    hasEnded = true
    frame.remove()
    onResult(status === 'COMPLETED' ? 'RESULT_OK' : 'RESULT_CANCELED')
  }

  async function look() {
    // Null: of another address than ours, a bank's for example.
    if (frame.contentDocument !== null) idle.watch(frame.contentWindow)
    const status = await billing.statusOf(intent)
    // The screen says that it is done, or over, until the merchant has read it; cancelling needs no reading.
    if (status === 'CANCELLED' && screen.isConnected) end(status)
  }

  /** Asked again after leaving: bought in that moment is bought, and leaving does not undo it. */
  async function back() {
    const status = await billing.statusOf(intent)
    if (status !== 'OPEN') return end(status)
    await billing.leave(intent)
    end(await billing.statusOf(intent))
  }

  frame.addEventListener('load', look)
  // The service may have more than one name (localhost, 127.0.0.1): its screen is where this page is from, too.
  const { pathname, search } = new URL(intent.url)
  frame.src = `${pathname}${search}`
  return { back }
}
