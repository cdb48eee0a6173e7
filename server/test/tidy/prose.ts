import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Measures comments and Markdown against STYLE.md: the share of sentences that begin with a relative clause or an indefinite subject, the
 * share of pronouns among all words, and the share of sentences with "of which", "nobody" and alike. Well-written projects of this kind have
 * 0–0.2 %, 2.5–5.1 % and 0.1–0.7 %. The measure is a smoke alarm: good numbers do not prove good prose.
 */
export const MOST = { begins: 1.5, pronouns: 6, odd: 1 } as const

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const BEGINS =
  /^(What|Who|Whom|Whose|Whoever|Whatever|Where|Of|One that|Those|Nobody|Nothing|That of|The same)\b(?!.*\?$)/
const PRONOUN = /\b(that|those|this|one|these|it|them|its|which|what)\b/gi
const ODD =
  /\b(of which|in which|by which|of whom|of whose|as it (is|was)|for long|nobody|somebody|whoever|whatever)\b/i

export interface Prose {
  readonly sentences: number
  readonly begins: number
  readonly pronouns: number
  readonly odd: number
}

/** The prose of the files that Git tracks below these paths, by folder; the last entry is the total. */
export function measureProse(paths: readonly string[] = ['server/src', 'docs', '*.md']): Map<string, Prose> {
  const names = execFileSync('git', ['ls-files', ...paths], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  const groups = new Map<string, string[]>()
  const all: string[] = []
  for (const name of names.filter(name => /\.(ts|js|md)$/.test(name))) {
    const text = readFileSync(join(ROOT, name), 'utf8')
    const found = sentencesOf(name.endsWith('.md') ? markdown(text) : comments(text))
    const folders = name.split('/').slice(0, -1)
    const group = folders.slice(0, 4).join('/') || name
    groups.set(group, [...(groups.get(group) ?? []), ...found])
    all.push(...found)
  }
  return new Map([...groups, ['TOTAL', all] as const].map(([group, found]) => [group, measure(found)]))
}

function measure(found: readonly string[]): Prose {
  const words = found.reduce((sum, sentence) => sum + sentence.split(/\s+/).length, 0)
  const share = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)
  return {
    sentences: found.length,
    begins: share(found.filter(sentence => BEGINS.test(sentence)).length, found.length),
    pronouns: share(
      found.reduce((sum, sentence) => sum + (sentence.match(PRONOUN)?.length ?? 0), 0),
      words,
    ),
    odd: share(found.filter(sentence => ODD.test(sentence)).length, found.length),
  }
}

function comments(text: string): string[] {
  const found = [...text.matchAll(/\/\*\*?(.*?)\*\//gs)].map(([, block = '']) => block.replace(/\s*\n\s*\*?\s*/g, ' '))
  let block = ''
  for (const line of [...text.split('\n'), '']) {
    const [, comment] = /^\s*\/\/\s?(.*)/.exec(line) ?? []
    if (comment !== undefined) block += ` ${comment}`
    else if (block !== '') {
      found.push(block)
      block = ''
    }
  }
  return found
}

function markdown(text: string): string[] {
  const prose = text.replace(/```.*?```/gs, '')
  return prose.split('\n').flatMap(line => line.split('|').map(cell => cell.replace(/[`*#>]/g, '')))
}

function sentencesOf(parts: readonly string[]): string[] {
  return parts
    .flatMap(part => part.split(/(?<=[.!?:;])\s+/))
    .map(sentence => sentence.replace(/^[\s*/-]+|[\s*/-]+$/g, ''))
    .filter(sentence => sentence.split(/\s+/).length >= 5)
}
