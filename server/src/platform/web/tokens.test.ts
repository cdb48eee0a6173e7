import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

const light = colorsOf(/^:root \{([^}]*)\}/m)
const dark = colorsOf(/:root:not\(\[data-theme="light"\]\) \{([^}]*)\}/)

/** WCAG 2.2, 1.4.3: 4.5 for text. */
const TEXT = [
  ...['ink', 'ink-soft', 'accent', 'accent-strong', 'bad', 'warn', 'good'].flatMap(ink =>
    ['paper', 'surface'].map(ground => [ink, ground] as const),
  ),
  ...['ink', 'ink-soft'].map(ink => [ink, 'sunken'] as const),
  ...['accent-soft', 'good-soft', 'warn-soft', 'bad-soft'].map(ground => ['ink', ground] as const),
  ['accent', 'accent-soft'] as const,
  ['good', 'good-soft'] as const,
  ['warn', 'warn-soft'] as const,
  ['bad', 'bad-soft'] as const,
  ['on-accent', 'accent'] as const,
  ['on-accent', 'accent-strong'] as const,
  ['on-bad', 'bad'] as const,
]

/** WCAG 2.2, 1.4.11: contrast 3 for edges of controls and focus rings. */
const EDGES = ['edge', 'focus', 'accent', 'bad'].flatMap(edge =>
  ['paper', 'surface'].map(ground => [edge, ground] as const),
)

const THEMED = /prefers-color-scheme|data-theme|light-dark\(/

for (const [theme, colors] of [
  ['light', light],
  ['dark', dark],
] as const) {
  test(`${theme}: every text and every border has enough contrast`, () => {
    const faint = [...TEXT.map(pair => [pair, 4.5] as const), ...EDGES.map(pair => [pair, 3] as const)].flatMap(
      ([[ink, ground], least]) => {
        const ratio = contrast(colorOf(colors, ink), colorOf(colors, ground))
        return ratio < least ? [`${ink} on ${ground}: ${ratio.toFixed(2)} of ${least}`] : []
      },
    )
    assert.deepEqual(faint, [])
  })
}

test('the dark theme is the same from the system and from the page, and defines every colour of the light theme', () => {
  assert.deepEqual(colorsOf(/:root\[data-theme="dark"\] \{([^}]*)\}/), dark)
  assert.deepEqual([...dark.keys()], [...light.keys()])
  assert.ok(dark.size > 15)
})

test('a theme changes only colours, so the browser tests check only colours in dark', () => {
  for (const block of [/:root:not\(\[data-theme="light"\]\) \{([^}]*)\}/, /:root\[data-theme="dark"\] \{([^}]*)\}/]) {
    const names = (block.exec(css)?.[1] ?? '').split(';').flatMap(line => line.split(':')[0]?.trim() || [])
    assert.deepEqual(names, ['color-scheme', ...[...light.keys()].map(name => `--${name}`), '--shade'])
  }
  const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
  const others = files.filter(name => /\.(css|js)$/.test(name) && name !== 'tokens.css')
  assert.ok(others.length > 2)
  const themed = others.filter(name => THEMED.test(readFileSync(new URL(name, import.meta.url), 'utf8')))
  assert.deepEqual(themed, [])
})

test('contrast is computed as in WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})

function colorsOf(block: RegExp): Map<string, string> {
  const [, body = ''] = block.exec(css) ?? []
  return new Map([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', color = '']) => [name, color]))
}

function colorOf(colors: Map<string, string>, name: string): string {
  return colors.get(name) ?? assert.fail(`there is no colour ${name}`)
}

/** WCAG 2.2, "contrast ratio". */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
