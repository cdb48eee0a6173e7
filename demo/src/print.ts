import { CHAPTERS, type ChapterName, numberOf } from './chapters.ts'
import type { Receipt } from './listener.ts'

/** The fields of an invoice that the story prints. Decisions 6, Invoice. */
export interface Invoice {
  readonly invoiceId: string
  readonly periodStart: string
  readonly periodEnd: string
  readonly amount: number
  readonly amountRefunded: number
  readonly status: string
  readonly creditNotes?: readonly { readonly number: string; readonly amount: number }[]
}

/** Prints the story, at most 100 columns wide. */
export interface Printer {
  chapter(name: ChapterName): void
  say(text: string): void
  /** Prints a dot as a sign of progress. */
  tick(): void
  receipt(receipt: Receipt): void
  invoices(invoices: readonly Invoice[]): void
  receipts(receipts: readonly Receipt[]): void
  problem(text: string): void
  end(text: string): void
  plain(text: string): void
}

const INDENT = ' '.repeat(8)
const MOST_DOTS = 90

/** Colours on a terminal, unless NO_COLOR is set (https://no-color.org). */
export function createPrinter(out: NodeJS.WriteStream): Printer {
  const colours = out.isTTY && !process.env.NO_COLOR
  const paint = (code: number) => (text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text)
  const [bold, dim, red, green, yellow] = [paint(1), paint(2), paint(31), paint(32), paint(33)]
  let dots = 0
  const write = (line: string) => {
    if (dots > 0) out.write('\n')
    dots = 0
    out.write(`${line}\n`)
  }
  return {
    chapter: name => {
      const { number, of } = numberOf(name)
      write(`${dim(`[${String(number).padStart(2)}/${of}]`)} ${bold(CHAPTERS[name].title)}`)
    },
    say: text => write(INDENT + text),
    tick: () => {
      if (dots < MOST_DOTS) out.write(dots === 0 ? `${INDENT}.` : '.')
      dots++
    },
    receipt: ({ createdAt, eventType, attempt, signatureValid, status }) => {
      const signature = signatureValid ? green('✓ signature') : red('✗ signature')
      const answer = status === 200 ? '' : yellow(`, response ${status}`)
      const name = eventType.padEnd(WIDEST_EVENT)
      write(`${INDENT}${dim('→')} ${day(createdAt).padStart(6)}  ${name}  ${signature}  attempt ${attempt}${answer}`)
    },
    invoices: invoices => {
      write('')
      write(bold(`${INDENT}${'Period'.padEnd(30)}${'Amount'.padStart(9)}${'Refunded'.padStart(11)}  Status`))
      for (const { periodStart, periodEnd, amount, amountRefunded, status } of invoices) {
        const period = `${day(periodStart)} to ${day(periodEnd)} ${periodEnd.slice(0, 4)}`.padEnd(30)
        const refunded = (amountRefunded === 0 ? '' : dollars(amountRefunded)).padStart(11)
        write(`${INDENT}${period}${dollars(amount).padStart(9)}${refunded}  ${status}`)
      }
    },
    receipts: receipts => {
      write('')
      write(bold(`${INDENT}${'Notification'.padEnd(WIDEST_EVENT)}${'Received'.padStart(10)}${'Valid'.padStart(7)}`))
      for (const [eventType, posts] of Map.groupBy(receipts, receipt => receipt.eventType)) {
        const invalid = new Set(posts.filter(post => !post.signatureValid).map(post => post.id)).size
        const received = new Set(posts.map(post => post.id)).size
        const numbers = `${String(received).padStart(10)}${String(received - invalid).padStart(7)}`
        write(`${INDENT}${eventType.padEnd(WIDEST_EVENT)}${invalid === 0 ? numbers : red(numbers)}`)
      }
      write('')
    },
    problem: text => write(red(text)),
    end: text => write(bold(text)),
    plain: write,
  }
}

/** 500 → $5.00. The story uses US dollars only. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}

/** 2026-01-31T09:30:00Z → 31 Jan */
export function day(timestamp: string): string {
  return new Date(timestamp).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

const WIDEST_EVENT = Math.max(
  ...Object.values(CHAPTERS).flatMap(({ eventTypes }) => eventTypes.map(type => type.length)),
)
