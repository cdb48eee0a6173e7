import type { Interval } from './calendar.ts'
import { boundary } from './calendar.ts'

export const INVOICE_STATUSES = ['OPEN', 'PAID', 'UNCOLLECTIBLE', 'VOID'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** An unpaid invoice, as far as a decision needs it. */
export interface OpenInvoice {
  readonly invoiceId: string
  /** What is left to pay: credit has been taken off. */
  readonly amount: number
  readonly creditApplied: number
}

export const LINE_KINDS = ['PLAN', 'CREDIT'] as const

export interface InvoiceLine {
  readonly kind: (typeof LINE_KINDS)[number]
  readonly description: string
  /** Minor units; credit is negative. */
  readonly amount: number
  readonly periodStart: Date
  readonly periodEnd: Date
}

/** An invoice when it is made. Its lines never change after (decisions 6). */
export interface IssuedInvoice {
  readonly invoiceId: string
  readonly organizationId: string
  readonly appId: string
  readonly businessId: string
  readonly subscriptionId: string
  readonly planId: string
  readonly term: number
  readonly periodIndex: number
  /** Numbers of one series have no gap: one series an organization and year, and one of its own for test merchants. */
  readonly series: string
  readonly country: string
  readonly currency: string
  /** The sum of the lines: what is to be paid in cash. */
  readonly amount: number
  readonly creditApplied: number
  readonly lines: readonly InvoiceLine[]
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly createdAt: Date
}

/** Decisions 6: "period n of a term is [anchor + n·interval, anchor + (n+1)·interval)". */
export function periodOf(anchor: Date, interval: Interval, index: number): { start: Date; end: Date } {
  return { start: boundary(anchor, interval, index), end: boundary(anchor, interval, index + 1) }
}

/** Decisions 6: "gap-free per organization and UTC year of issue; test merchants have their own series T-…". */
export function seriesOf(merchantType: 'MERCHANT' | 'TEST_MERCHANT', issuedAt: Date): string {
  return `${merchantType === 'TEST_MERCHANT' ? 'T-' : ''}${issuedAt.getUTCFullYear()}`
}

export function invoiceNumber(series: string, n: number): string {
  return `${series}-${String(n).padStart(6, '0')}`
}
