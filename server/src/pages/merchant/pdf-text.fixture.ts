import { inflateSync } from 'node:zlib'

/** Extracts the text of a PDF written by pdfkit with embedded fonts: inflates streams, maps glyphs by ToUnicode, one string per line. */
export function textOfPdf(file: Buffer): string {
  const objects = objectsOf(file)
  const fonts = new Map<string, Map<string, string>>()
  for (const { head } of objects.values()) {
    for (const [, name = '', id = ''] of (/\/Font <<([\s\S]*?)>>/.exec(head)?.[1] ?? '').matchAll(
      /\/(F\d+) (\d+) 0 R/g,
    )) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1]
      const stream = map === undefined ? undefined : objects.get(map)?.stream
      if (stream !== undefined) fonts.set(name, unicodeOf(stream))
    }
  }
  const lines: string[] = []
  for (const { stream = '' } of objects.values()) {
    let font: Map<string, string> | undefined
    for (const [, name, shown] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>|[-\d. ])*)\] TJ/g)) {
      if (name !== undefined) font = fonts.get(name)
      if (shown === undefined) continue
      const glyphs = [...shown.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      lines.push(glyphs.map(glyph => font?.get(glyph) ?? '\ufffd').join(''))
    }
  }
  return lines.join('\n')
}

interface PdfObject {
  readonly head: string
  readonly stream?: string
}

function objectsOf(file: Buffer): Map<string, PdfObject> {
  const text = file.toString('latin1')
  const objects = new Map<string, PdfObject>()
  for (const found of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)endobj/g)) {
    const [, id = '', body = ''] = found
    const at = body.indexOf('stream\n')
    const head = at < 0 ? body : body.slice(0, at)
    const bytes = Buffer.from(body.slice(at + 'stream\n'.length, body.lastIndexOf('\nendstream')), 'latin1')
    const stream =
      at < 0 ? undefined : /\/FlateDecode/.test(head) ? inflateSync(bytes).toString('latin1') : bytes.toString('latin1')
    objects.set(id, { head, ...(stream === undefined ? {} : { stream }) })
  }
  return objects
}

/** pdfkit lists all glyphs in order: `<0000> <00ff> [<0020> <0041> …]`. */
function unicodeOf(cmap: string): Map<string, string> {
  const map = new Map<string, string>()
  for (const [, from = '', list = ''] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)) {
    let glyph = Number.parseInt(from, 16)
    for (const [, hex = ''] of list.matchAll(/<([0-9a-f ]*)>/g)) {
      const units = hex.replaceAll(' ', '').match(/.{4}/g) ?? []
      const letters = units.map(unit => String.fromCharCode(Number.parseInt(unit, 16))).join('')
      map.set((glyph++).toString(16).padStart(4, '0'), letters)
    }
  }
  return map
}
