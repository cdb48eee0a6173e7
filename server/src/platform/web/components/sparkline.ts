import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { assert } from '../../../core/assert.ts'
import { type Html, html } from '../html.ts'
import { MOST_POINTS } from './chart.ts'

const WIDTH = 96
const HEIGHT = 24
/** The stroke stays inside of the picture. */
const EDGE = 1.5

/** A line without axes beside a figure or in a table. `label` says the content in words. */
export function sparkline(label: string, values: readonly number[]): Html {
  assert(values.length <= MOST_POINTS, 'a sparkline has at most as many points as a chart')
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [0, WIDTH])
  const y = scaleLinear([Math.min(0, ...values), Math.max(1, ...values)], [HEIGHT - EDGE, EDGE])
  const points = values.map((value, i): [number, number] => [x(i), y(value)])
  const under = area<[number, number]>().y0(y(0))
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" class="spark" role="img" aria-label="${label}"><path ${{ class: 'spark-area', d: under(points) }}/><path ${{ class: 'spark-line', d: line()(points) }}/></svg>`
}
