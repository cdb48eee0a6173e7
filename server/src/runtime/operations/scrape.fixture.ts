import assert from 'node:assert/strict'
import { OPERATOR_KEY, type World } from '../../../test/support/world.ts'

/** The metrics of one process at one moment. */
export interface Scrape {
  /** By the whole name of a sample, with its labels. 0 without a value. */
  value(sample: string): number
  has(sample: string): boolean
  /** Ours, with their types. */
  readonly types: ReadonlyMap<string, string>
  /** The labels of every sample by name, including Node's. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>
}

export async function scrape(world: World, app = world.app): Promise<Scrape> {
  const { status, text } = await world.ask(OPERATOR_KEY, 'GET', '/metrics', { app })
  assert.equal(status, 200)
  return readScrape(text)
}

export function readScrape(text: string): Scrape {
  const types = new Map<string, string>()
  const values = new Map<string, number>()
  const labels = new Map<string, Set<string>>()
  for (const line of text.split('\n')) {
    const [, name = '', type = ''] = /^# TYPE (tillhook_\w+) (\w+)$/.exec(line) ?? []
    if (name !== '') types.set(name, type)
    const [, metric = '', labelled = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (metric !== '') labels.set(metric, new Set([...labelled.matchAll(/(\w+)="/g)].map(([, label = '']) => label)))
    const [, sample = '', value = ''] = /^(tillhook_\S+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (sample !== '') values.set(sample, Number(value))
  }
  return { types, labels, value: sample => values.get(sample) ?? 0, has: sample => values.has(sample) }
}
