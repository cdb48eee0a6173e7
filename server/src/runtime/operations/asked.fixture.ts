import { readFileSync } from 'node:fs'

/** The query of a dashboard panel or an alert. */
export interface Asked {
  readonly title: string
  readonly expr: string
  /** The labels in its text. */
  readonly labels: readonly string[]
}

/** Given by Prometheus to every sample. */
export const OF_PROMETHEUS = ['instance', 'job']

export function askedByDashboard(): Asked[] {
  const dashboard = JSON.parse(read('grafana/tillhook.json')) as {
    panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[]
  }
  return dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, labels: wordsIn(legendFormat, /\{\{(\w+)\}\}/g) })),
  )
}

export function askedByAlerts(): Asked[] {
  const [, ...alerts] = read('prometheus/tillhook.rules.yml').split('- alert: ')
  return alerts.map(alert => ({
    title: alert.slice(0, alert.indexOf('\n')),
    expr: /expr:\s*(?:>-)?(.*?)\n {8}(?:for|labels):/s.exec(alert)?.[1] ?? '',
    labels: wordsIn(alert, /\$labels\.(\w+)/g),
  }))
}

/** The metrics in `expr` with their matched labels, and the labels of its aggregation. */
export function namesIn(expr: string): { metrics: { name: string; labels: string[] }[]; by: string[] } {
  const metrics = [...expr.matchAll(/\b((?:tillhook|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)]
  return {
    metrics: metrics.map(([, name = '', matched = '']) => ({ name, labels: wordsIn(matched, /(\w+)=/g) })),
    by: [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', ')),
  }
}

function wordsIn(text: string, word: RegExp): string[] {
  return [...text.matchAll(word)].map(([, found = '']) => found)
}

function read(path: string): string {
  return readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8')
}
