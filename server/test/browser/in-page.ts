/**
 * As much of a page's own world as functions that run there look at: `const { document } = globalThis as unknown as InPage`.
 * Written down here, since the compiler's own list would be there for the server's code, too.
 */
export interface InPage {
  readonly document: {
    readonly activeElement: PageElement | null
    readonly body: PageElement
    readonly documentElement: PageElement
    adoptedStyleSheets: readonly StyleSheet[]
    querySelector(selector: string): PageElement | null
    querySelectorAll(selector: string): Iterable<PageElement>
  }
  readonly innerWidth: number
  readonly innerHeight: number
  readonly navigator: { readonly clipboard: { readText(): Promise<string> } }
  readonly CSSStyleSheet: new () => StyleSheet
  getComputedStyle(element: PageElement): Readonly<Record<string, string>>
}

export interface PageElement {
  readonly outerHTML: string
  readonly tagName: string
  readonly scrollWidth: number
  readonly clientWidth: number
  readonly dataset: Record<string, string | undefined>
  /** Of inputs. */
  readonly type?: string
  readonly name?: string
  getAttribute(name: string): string | null
  getClientRects(): ArrayLike<unknown>
  /** False within what is folded. */
  checkVisibility(): boolean
  getBoundingClientRect(): Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>
}

export interface StyleSheet {
  replaceSync(text: string): void
}
