/**
 * The English texts of a source file: say`…`, sayHtml`…` and english('…'), with {0}, {1} … in place of the values. Values may hold further
 * texts.
 */
export function textsOf(source: string): string[] {
  const texts: string[] = []
  for (const [, single, double] of source.matchAll(/\benglish\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g)) {
    texts.push((single ?? double ?? '').replaceAll(/\\(.)/g, '$1'))
  }
  return [...texts, ...templatesOf(source)]
}

function templatesOf(source: string): string[] {
  const texts: string[] = []
  // A backtick before the tag: the name of the function in a comment.
  const begin = /(?<!`)\b(?:say|sayHtml)`/g
  for (let found = begin.exec(source); found !== null; found = begin.exec(source)) {
    let key = ''
    const values: string[] = []
    let at = begin.lastIndex
    for (; source[at] !== '`'; at++) {
      if (source[at] === '\\') key += source[++at]
      else if (source.startsWith('${', at)) {
        const end = endOfValue(source, at + 2)
        key += `{${values.length}}`
        values.push(source.slice(at + 2, end))
        at = end
      } else key += source[at]
    }
    texts.push(key, ...values.flatMap(templatesOf))
    begin.lastIndex = at + 1
  }
  return texts
}

/** The closing brace of a value, which may hold strings, templates and objects. */
function endOfValue(source: string, from: number): number {
  let depth = 1
  for (let at = from; ; at++) {
    const char = source[at]
    if (char === undefined) throw new Error(`A value of a template has no end: ${source.slice(from, from + 80)}`)
    if (char === "'" || char === '"') at = source.indexOf(char, at + 1)
    else if (char === '`') at = endOfTemplate(source, at + 1)
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return at
  }
}

function endOfTemplate(source: string, from: number): number {
  for (let at = from; ; at++) {
    if (source[at] === '`') return at
    if (source[at] === '\\') at++
    else if (source.startsWith('${', at)) at = endOfValue(source, at + 2)
  }
}
