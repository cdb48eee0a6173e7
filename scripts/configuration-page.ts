import { SETTINGS } from '../server/src/config.ts'

/** docs/configuration.md, made from the settings themselves. */
export function configurationPage(): string {
  const rows = Object.values(SETTINGS).map(
    ({ variable, byDefault, meaning }) => `| \`${variable}\` | ${byDefault} | ${meaning} |`,
  )
  return `# Configuration

Environment variables, read once at the start. Wrong ones are all named at once, and so is one that does not exist. This page is printed by
\`npm run print\`, and a test compares it with the settings.

| Variable | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}
