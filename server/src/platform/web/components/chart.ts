import { scaleBand, scaleLinear } from 'd3-scale'
import { line, stack, stackOffsetDiverging } from 'd3-shape'
import { assert } from '../../../core/assert.ts'
import { type Html, html } from '../html.ts'
import { type Column, table } from './table.ts'

/** More points cannot be distinguished on a phone: choose days instead of hours. */
export const MOST_POINTS = 90

/** The units of the drawing. CSS stretches the drawing to its place. */
const WIDTH = 1000
const HEIGHT = 200
const TICKS = 3
/** The maximum that fits a phone. */
const MOST_LABELS = 6

export type SeriesTone = 'accent' | 'soft' | 'warn' | 'bad'

export interface Series {
  readonly name: string
  /** One value per label. Absent: no figure, and a gap in a line. */
  readonly values: readonly (number | undefined)[]
  /** Default: `accent` for the first series, `soft` for the second, then `warn` and `bad`. */
  readonly tone?: SeriesTone
}

export interface ChartOptions {
  /** Unlike any other id of the page. */
  readonly id: string
  readonly title: string
  /** `bar` puts the series beside each other, `stacked` above each other. */
  readonly kind: 'line' | 'bar' | 'stacked'
  /** The name of the first column of the table: "Day". */
  readonly unit: string
  readonly labels: readonly string[]
  /** At most four. */
  readonly series: readonly Series[]
  /** A value in words. Default: with separators of thousands. */
  say?(value: number): string
  /** A value beside the axis, where space is scarce. Default: `say`. */
  sayShort?(value: number): string
}

interface Drawn extends Series {
  readonly tone: SeriesTone
  readonly place: number
}

/**
 * A chart as SVG with the same figures as a table. A series differs by its colour and by its pattern or dashes. Texts are HTML and SVG
 * without a view box, so that they keep their size on every screen.
 */
export function chart(options: ChartOptions): Html {
  const { id, title, kind, labels, unit, say = plainNumber, sayShort = say } = options
  assert(labels.length <= MOST_POINTS, 'a chart has at most 90 points')
  assert(options.series.length <= TONES.length, 'a chart has at most four series')
  const series = options.series.map((one, place): Drawn => ({ ...one, tone: one.tone ?? toneAt(place), place }))
  const y = scaleLinear(extentOf(series, kind), [HEIGHT, 0]).nice(TICKS)
  // Values are counts, minor units and milliseconds.
  const ticks = y.ticks(TICKS).filter(Number.isInteger)
  const head = html`<figcaption><h3 id="${id}">${title}</h3>${series.length > 1 && legend(id, kind, series)}</figcaption>`
  if (labels.length === 0) return html`<figure class="chart">${head}<p class="chart-empty">No figures yet.</p></figure>`
  const marks = kind === 'line' ? lines({ ...options, say }, series, y) : bars({ ...options, say }, series, y)
  return html`<figure class="chart" data-chart>
${head}
<div class="chart-plot"><div class="chart-y" aria-hidden="true">${ticks.toReversed().map(tick => html`<span>${sayShort(tick)}</span>`)}</div>
<svg class="chart-marks" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}">
${kind !== 'line' && html`<defs>${series.slice(1).map(one => pattern(id, one))}</defs>`}
${ticks.map(tick => html`<line ${{ class: tick === 0 ? 'grid zero' : 'grid', x1: 0, x2: WIDTH, y1: round(y(tick)), y2: round(y(tick)) }}/>`)}
${marks}
</svg><svg class="chart-x" aria-hidden="true">${axisLabels(labels)}</svg></div>
<details><summary class="chart-more">Show as a table<span class="unseen">: ${title}</span></summary>
<div class="chart-table" tabindex="0" role="region" aria-labelledby="${id}">${table({ caption: title, rows: [...labels.keys()], columns: columnsOf(unit, labels, series, say) })}</div></details>
</figure>`
}

function columnsOf(
  unit: string,
  labels: readonly string[],
  series: readonly Series[],
  say: (value: number) => string,
): Column<number>[] {
  const figures = series.map(({ name, values }) => ({
    name,
    isNumber: true,
    cell: (i: number) => sayOr(say, values[i]),
  }))
  return [{ name: unit, cell: i => labels[i] }, ...figures]
}

const TONES: readonly SeriesTone[] = ['accent', 'soft', 'warn', 'bad']

function toneAt(place: number): SeriesTone {
  return TONES[place] ?? 'accent'
}

function plainNumber(value: number): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(value).replace('-', '−')
}

function sayOr(say: (value: number) => string, value: number | undefined): string {
  return value === undefined ? 'None' : say(value)
}

const figuresOf = (series: readonly Series[]) =>
  series.flatMap(({ values }) => values.filter(value => value !== undefined))

/** The least and the greatest value, and zero. */
function extentOf(series: readonly Series[], kind: ChartOptions['kind']): [number, number] {
  const values = kind === 'stacked' ? stacked(series).flat(2) : figuresOf(series)
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  return least === most ? [0, 1] : [least, most]
}

/** For each series the lower and upper end of each bar. Negative values go below zero. */
function stacked(series: readonly Series[]): (readonly [number, number])[][] {
  const points = (series[0]?.values ?? []).map((_, i) => i)
  const layers = stack<number, number>()
    .keys(series.map((_, place) => place))
    .value((i, place) => series[place]?.values[i] ?? 0)
    .offset(stackOffsetDiverging)(points)
  return layers.map(layer => layer.map(([low, high]) => [low, high] as const))
}

type Scale = (value: number) => number
type Drawing = ChartOptions & Required<Pick<ChartOptions, 'say'>>

function lines({ labels, say }: Drawing, series: readonly Drawn[], y: Scale): Html {
  const x = scaleBand(labels.keys(), [0, WIDTH])
  const middle = (i: number) => round((x(i) ?? 0) + x.bandwidth() / 2)
  return html`${series.map(({ tone, place, values }) => {
    const isThere = (i: number) => values[i] !== undefined
    const path = line<number | undefined>()
      .defined((_, i) => isThere(i))
      .x((_, i) => middle(i))
      .y((value = 0) => round(y(value)))
    // A single figure between gaps is a short dash.
    const dashes = values.map((value, i) =>
      value === undefined || isThere(i - 1) || isThere(i + 1)
        ? ''
        : `M${round(x(i) ?? 0)},${round(y(value))}h${round(x.bandwidth())}`,
    )
    return html`<path ${{ class: `line ${tone} series-${place}`, d: `${path([...values]) ?? ''}${dashes.join('')}` }}/>`
  })}${labels.map(
    (label, i) =>
      html`<rect ${{ class: 'hit', x: round(x(i) ?? 0), y: 0, width: round(x.bandwidth()), height: HEIGHT }}><title>${[label, ...series.map(({ name, values }) => `${name}: ${sayOr(say, values[i])}`)].join('\n')}</title></rect>`,
  )}`
}

function bars({ id, kind, labels, say }: Drawing, series: readonly Drawn[], y: Scale): Html {
  const x = scaleBand(labels.keys(), [0, WIDTH]).padding(0.25)
  const ends = kind === 'stacked' ? stacked(series) : series.map(({ values }) => values.map((v = 0) => [0, v] as const))
  const inner = scaleBand(series.keys(), [0, x.bandwidth()])
  return html`${series.map(({ name, tone, place, values }) =>
    values.map((value = 0, i) => {
      const [from = 0, to = 0] = ends[place]?.[i] ?? []
      const [top, bottom] = [round(y(Math.max(from, to))), round(y(Math.min(from, to)))]
      const left = (x(i) ?? 0) + (kind === 'bar' ? (inner(place) ?? 0) : 0)
      const width = kind === 'bar' ? inner.bandwidth() : x.bandwidth()
      const fill = place === 0 ? undefined : `url(#${id}-${place})`
      const at = { x: round(left), y: top, width: round(width), height: round(bottom - top) }
      return html`<rect ${{ class: `bar ${tone}`, ...at, fill }}><title>${labels[i]}, ${name}: ${say(value)}</title></rect>`
    }),
  )}`
}

/** Stripes run along the stretched axis, so that stretching does not bend them. */
function pattern(id: string, { place, tone }: Drawn): Html {
  const height = [0, 6, 4, 10][place]
  return html`<pattern patternUnits="userSpaceOnUse" ${{ id: `${id}-${place}`, width: 8, height, class: tone }}><rect ${{ class: 'pattern-ground', width: 8, height }}/><rect ${{ class: 'pattern-stripe', width: 8, height: place === 3 ? 5 : 2 }}/></pattern>`
}

function legend(id: string, kind: ChartOptions['kind'], series: readonly Drawn[]): Html {
  const key = ({ tone, place }: Drawn) =>
    kind === 'line'
      ? html`<line ${{ class: `line ${tone} series-${place}`, x1: 0, x2: 16, y1: 6, y2: 6 }}/>`
      : html`<rect ${{ class: `bar ${tone}`, width: 16, height: 12, fill: place === 0 ? undefined : `url(#${id}-${place})` }}/>`
  return html`<ul class="legend">${series.map(one => html`<li><svg viewBox="0 0 16 12" aria-hidden="true">${key(one)}</svg>${one.name}</li>`)}</ul>`
}

/** Every label, or every second, third, …: as many as fit a phone. */
function axisLabels(labels: readonly string[]): Html {
  const step = Math.ceil(labels.length / MOST_LABELS)
  const texts = labels.map((label, i) => {
    if (i % step !== 0) return false
    // The first of many labels would stick out.
    const isEdge = i === 0 && step > 1
    const x = isEdge ? 0 : round((100 * (i + 0.5)) / labels.length)
    return html`<text ${{ x: `${x}%`, y: '1em', 'text-anchor': isEdge ? 'start' : 'middle' }}>${label}</text>`
  })
  return html`${texts}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
