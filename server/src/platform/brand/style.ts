import { type AccentTokens, accentTokens } from '../../core/brand.ts'

/** A stylesheet that replaces the accent of tokens.css, in the same three blocks; `within` limits it to a part of the page. */
export function brandStyle(accent: string, within = ''): string {
  const [light, dark] = [blockOf(accentTokens(accent, 'light')), blockOf(accentTokens(accent, 'dark'))]
  return [
    `:root${within} {${light}}`,
    `@media (prefers-color-scheme: dark) {\n:root:not([data-theme="light"])${within} {${dark}}\n}`,
    `:root[data-theme="dark"]${within} {${dark}}`,
    '',
  ].join('\n')
}

function blockOf({ accent, accentStrong, accentSoft, onAccent }: AccentTokens): string {
  return `--accent:${accent};--accent-strong:${accentStrong};--accent-soft:${accentSoft};--on-accent:${onAccent}`
}
