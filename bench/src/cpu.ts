import { readFileSync } from 'node:fs'

/** The processes whose processor time is measured. */
export interface Processes {
  /** The process that answers: the service or the bare server. */
  readonly service: number
  /** PostgreSQL's first process; its children count with it. */
  readonly postgres: number
}

/** Processor time in milliseconds: user and kernel time of all threads. */
export interface Cpu {
  readonly serviceMs: number
  readonly postgresMs: number
  /** This process: the load generator. */
  readonly loadMs: number
  /** Idle time of all processors. */
  readonly idleMs: number
  /** Time taken by other guests of the host: a process was ready and could not run. */
  readonly stolenMs: number
  /** Total time of all processors. */
  readonly wholeMs: number
}

/** Linux counts in hundredths of a second, on every machine that Node runs on. */
const TICK_MS = 10

/** Processor time so far. Undefined without /proc. */
export function readCpu({ service, postgres }: Processes): Cpu | undefined {
  try {
    const { user, system } = process.cpuUsage()
    const loadMs = (user + system) / 1000
    return { serviceMs: ownMs(service), postgresMs: familyMs(postgres), loadMs, ...machineTimes() }
  } catch {
    return undefined
  }
}

/** Processor time per request between two readings. */
export function cpuPerRequest(before: Cpu | undefined, after: Cpu | undefined, requests: number): Cpu | undefined {
  if (before === undefined || after === undefined || requests === 0) return undefined
  const of = (part: keyof Cpu) => (after[part] - before[part]) / requests
  return mapCpu(of)
}

/** Computes each part by name. */
export function mapCpu(of: (part: keyof Cpu) => number): Cpu {
  return {
    serviceMs: of('serviceMs'),
    postgresMs: of('postgresMs'),
    loadMs: of('loadMs'),
    idleMs: of('idleMs'),
    stolenMs: of('stolenMs'),
    wholeMs: of('wholeMs'),
  }
}

/** proc(5), the first line of stat: user, nice, system, idle, iowait, irq, softirq, steal. Guest time is part of user and nice. */
function machineTimes(): Pick<Cpu, 'idleMs' | 'stolenMs' | 'wholeMs'> {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const ticks = line.split(/ +/).slice(1, 9).map(Number)
  const [, , , idle = 0, waiting = 0, , , stolen = 0] = ticks
  const whole = ticks.reduce((sum, each) => sum + each, 0)
  return { idleMs: (idle + waiting) * TICK_MS, stolenMs: stolen * TICK_MS, wholeMs: whole * TICK_MS }
}

/** proc(5): the 14th and 15th field of stat are a process's own time, the 16th and 17th that of its ended children. */
function ownMs(pid: number): number {
  const [user, system] = times(pid)
  return (user + system) * TICK_MS
}

function familyMs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  const [user, system, userOfEnded, systemOfEnded] = times(pid)
  return (user + system + userOfEnded + systemOfEnded) * TICK_MS + children.reduce((sum, id) => sum + ownMs(id), 0)
}

/** The second field is a name in parentheses, which may hold spaces. */
function times(pid: number): [number, number, number, number] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15).map(Number)
  return [user, system, userOfEnded, systemOfEnded]
}
