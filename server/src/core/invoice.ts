import type { Recurrence } from './calendar.ts'
import { boundary } from './calendar.ts'
import type { InvoiceTax } from './tax.ts'

export const INVOICE_STATUSES = ['OPEN', 'PAID', 'UNCOLLECTIBLE', 'VOID'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** The part of an unpaid invoice that a decision needs. */
export interface OpenInvoice {
  readonly invoiceId: string
  /** Left to pay after credit. */
  readonly amount: number
  readonly creditApplied: number
}

export const LINE_KINDS = ['PLAN', 'CREDIT'] as const

export interface InvoiceLine {
  readonly kind: (typeof LINE_KINDS)[number]
  readonly description: string
  /** Minor units, with tax; credit is negative. */
  readonly amount: number
  /** The parts of the amount. Absent: the line has no tax. */
  readonly net?: number
  readonly tax?: number
  /** In percent: "19". */
  readonly taxRate?: string
  readonly periodStart: Date
  readonly periodEnd: Date
}

/** An invoice at issue. Its lines never change (decisions 6). */
export interface IssuedInvoice {
  readonly invoiceId: string
  readonly organizationId: string
  readonly appId: string
  readonly businessId: string
  readonly subscriptionId: string
  readonly planId: string
  readonly term: number
  readonly periodIndex: number
  /** Numbers of a series have no gap: one series per organization and year, and one for test merchants. */
  readonly series: string
  readonly country: string
  readonly currency: string
  /** The sum of the lines: to be paid by charge. */
  readonly amount: number
  readonly creditApplied: number
  /** Absent: no tax settings apply. */
  readonly tax?: InvoiceTax
  readonly lines: readonly InvoiceLine[]
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly createdAt: Date
}

/** Decisions 6: "period n of a term is [anchor + n·interval, anchor + (n+1)·interval)". */
export function periodOf(anchor: Date, recurrence: Recurrence, index: number): { start: Date; end: Date } {
  return { start: boundary(anchor, recurrence, index), end: boundary(anchor, recurrence, index + 1) }
}

/** Decisions 6: "gap-free per organization and UTC year of issue; test merchants have their own series T-…". */
export function seriesOf(merchantType: 'MERCHANT' | 'TEST_MERCHANT', issuedAt: Date): string {
  return `${merchantType === 'TEST_MERCHANT' ? 'T-' : ''}${issuedAt.getUTCFullYear()}`
}

export function invoiceNumber(series: string, n: number): string {
  return `${series}-${String(n).padStart(6, '0')}`
}
