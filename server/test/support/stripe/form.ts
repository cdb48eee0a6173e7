export type Params = Readonly<Record<string, unknown>>

/** Reads `a[b]=1&c[0]=2`, as Stripe's API takes it. */
export function readForm(text: string): Params {
  const root: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    const last = path.pop() ?? ''
    let at = root
    for (const step of path) {
      at[step] ??= {}
      at = at[step] as Record<string, unknown>
    }
    at[last] = value
  }
  return root
}
