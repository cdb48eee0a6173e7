import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'

export interface Findings {
  readonly seed: number
  readonly sent: number
  /** How often each operation answered with each status; `-` where no operation was meant. */
  readonly answers: ReadonlyMap<string, number>
  /** One finding of each kind, with a command that reproduces it. */
  readonly faults: readonly string[]
}

export interface Notebook {
  count(operation: string, status: number): void
  /** The first finding of a kind stays. */
  fault(kind: string, details: { number: number; requestId: string; body: string; again: string }): void
  findings(sent: number): Findings
  /** The service's own error log counts as a finding. */
  readonly log: Logger
}

const MOST_FAULTS = 30
const MOST_OF_A_BODY = 300

export function openNotebook(seed: number): Notebook {
  const answers = new Map<string, number>()
  const faults = new Map<string, string>()
  const failures = new Map<string, string>()
  const sink = new Writable({
    write(chunk, _encoding, done) {
      const { requestId, msg, error, message, stack } = JSON.parse(String(chunk)) as Record<string, string>
      failures.set(String(requestId), `${msg}: ${error} ${message}\n${stack}`)
      done()
    },
  })
  return {
    log: pino({ level: 'error' }, sink),
    count: (operation, status) => {
      const line = `${operation} ${status}`
      answers.set(line, (answers.get(line) ?? 0) + 1)
    },
    fault: (kind, { number, requestId, body, again }) => {
      if (faults.has(kind) || faults.size >= MOST_FAULTS) return
      const lines = [kind, `seed ${seed}, request ${number}: ${body.slice(0, MOST_OF_A_BODY)}`, again]
      faults.set(kind, [...lines, failures.get(requestId) ?? ''].join('\n  '))
    },
    findings: sent => ({ seed, sent, answers, faults: [...faults.values()] }),
  }
}
