import { SETTINGS } from '../server/src/config.ts'

/** docs/configuration.md, printed from the settings. */
export function configurationPage(): string {
  const rows = Object.values(SETTINGS).map(
    ({ variable, byDefault, meaning }) => `| \`${variable}\` | ${byDefault} | ${meaning} |`,
  )
  return `# Configuration

Tillhook reads these environment variables once, at the start. A start with wrong or unknown variables fails and lists all of them.
\`npm run print\` writes this page, and a test compares the page with the settings.

| Variable | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}
