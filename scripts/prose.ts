import { MOST, measureProse } from '../server/test/tidy/prose.ts'

/** Prints the prose measure by folder, worst folders last: `npm run prose -- server/src/money`. */
const given = process.argv.slice(2)
const measured = given.length > 0 ? measureProse(given) : measureProse()
const rows = [...measured].toSorted(
  ([a, x], [b, y]) => Number(a === 'TOTAL') - Number(b === 'TOTAL') || x.begins - y.begins,
)
const row = (name: string, ...cells: (string | number)[]) =>
  `${name.padEnd(48)}${cells.map(cell => String(cell).padStart(11)).join('')}\n`
process.stdout.write(row('folder', 'sentences', 'begins %', 'pronouns %', 'odd %'))
for (const [name, { sentences, begins, pronouns, odd }] of rows) {
  process.stdout.write(row(name, sentences, begins.toFixed(1), pronouns.toFixed(1), odd.toFixed(1)))
}
process.stdout.write(row('limit', '', MOST.begins, MOST.pronouns, MOST.odd))
