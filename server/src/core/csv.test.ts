import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvOf } from './csv.ts'

test('rows end with CRLF, and fields with a comma, quote or line break are quoted', () => {
  assert.equal(csvOf([]), '')
  assert.equal(
    csvOf([
      ['a', 'b,c', 'say "x"', 'two\r\nlines', '', undefined],
      [{ number: '-1.50' }, ' padded '],
    ]),
    'a,"b,c","say ""x""","two\r\nlines",,\r\n-1.50," padded "\r\n',
  )
})

for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '\n1', '＝1', '＠x', '=cmd|"/c calc"!A1']) {
  test(`${JSON.stringify(text)} does not become a formula`, () => {
    const [field = ''] = read(csvOf([[text]]))[0] ?? []
    assert.equal(field, `'${text}`)
  })
}

test('random fields survive a round trip', () => {
  const fields = fc.string({ unit: fc.oneof(fc.constantFrom('"', ',', '\r', '\n', ' ', "'", '='), fc.string()) })
  fc.assert(
    fc.property(fc.array(fc.array(fields, { minLength: 2 }), { minLength: 1 }), rows => {
      const meant = rows.map(row =>
        row.map(text =>
          csvOf([[text]])
            .replace(/^"/, '')
            .startsWith("'") && !text.startsWith("'")
            ? `'${text}`
            : text,
        ),
      )
      assert.deepEqual(read(csvOf(rows)), meant)
    }),
  )
})

/** A reader by RFC 4180, section 2, independent of the writer. */
function read(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    if (isQuoted && char === '"' && text[i + 1] === '"') field += text[i++]
    else if (char === '"') isQuoted = !isQuoted
    else if (isQuoted) field += char
    else if (char === ',') {
      row.push(field)
      field = ''
    } else if (char === '\r' && text[i + 1] === '\n') {
      rows.push([...row, field])
      row = []
      field = ''
      i++
    } else field += char
  }
  assert.equal(field, '')
  return rows
}
