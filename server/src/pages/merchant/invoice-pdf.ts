import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import { htmlLanguage, say } from '../../platform/web/say.ts'
import { embedEInvoice } from './factur-x.ts'
import type { InvoiceSheet } from './invoice-sheet.ts'

/** Covers Latin, Greek and Cyrillic. Other characters appear as boxes. */
const FONTS = {
  plain: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
} as const

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 }
const LEFT = PAGE.margin
const RIGHT = PAGE.width - PAGE.margin
const BOTTOM = PAGE.height - PAGE.margin
const COLUMNS = { text: LEFT, period: 240, amount: 460 } as const
const INK = '#1f1b16'
const SOFT = '#5c554b'
const LINE = '#d8cfbf'

/**
 * An invoice as a PDF. Equal sheets give equal bytes: the file's date is the invoice's. With an e-invoice the file is Factur-X (ZUGFeRD):
 * PDF/A-3b with the e-invoice embedded.
 */
export function invoicePdf(sheet: InvoiceSheet, brand: DocumentBrand, eInvoice?: string): Promise<Buffer> {
  const { title, issuedAt } = sheet
  const maker = eInvoice === undefined ? brand.name : plain(brand.name)
  const document = new PDFDocument({
    ...{ size: 'A4', margin: PAGE.margin, lang: htmlLanguage(), displayTitle: true, font: '' },
    ...(eInvoice === undefined ? {} : ({ subset: 'PDF/A-3b', pdfVersion: '1.7' } as const)),
    info: {
      // PDFKit writes the fields of a PDF/A into XML without escapes and counts characters as bytes.
      ...(eInvoice === undefined ? { Title: title, Author: sheet.seller[0] ?? '' } : { Title: plain(sheet.number) }),
      ...{ CreationDate: issuedAt, ModDate: issuedAt, Creator: maker, Producer: maker },
    },
  })
  for (const [name, bytes] of fonts()) document.registerFont(name, bytes)
  const chunks: Buffer[] = []
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on('data', chunk => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  head(document, brand)
  draw(document, title, sheet)
  if (eInvoice !== undefined) embedEInvoice(document, eInvoice, issuedAt)
  document.end()
  return written
}

type Paper = PDFKit.PDFDocument

/** Letters and digits of ASCII. */
function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 .-]/g, '').trim()
}

/** The brand of the platform, above the title. The seller stands below. */
export interface DocumentBrand {
  readonly name: string
  /** PNG or JPEG. */
  readonly logo?: Buffer
}

const LOGO_SIDE = 16

function head(paper: Paper, { name, logo }: DocumentBrand): void {
  const top = PAGE.margin - 28
  if (logo !== undefined) paper.image(logo, LEFT, top, { width: LOGO_SIDE, height: LOGO_SIDE })
  const left = logo === undefined ? LEFT : LEFT + LOGO_SIDE + 6
  paper
    .fillColor(SOFT)
    .font('bold')
    .fontSize(9)
    .text(name, left, top + 3, { lineBreak: false })
}

function draw(paper: Paper, title: string, sheet: InvoiceSheet): void {
  paper
    .fillColor(INK)
    .font('bold')
    .fontSize(title.length > 24 ? 17 : 22)
    .text(title, LEFT, PAGE.margin, { width: 350 })
  paper.fontSize(11).text(sheet.state.word, 410, PAGE.margin + 8, { width: RIGHT - 410, align: 'right' })
  paper
    .fillColor(SOFT)
    .font('plain')
    .fontSize(10)
    .text(`${sheet.issued} · ${sheet.app}`, LEFT, paper.y + 12)
  const top = paper.y + 28
  const ends = [party(paper, say`From`, sheet.seller, LEFT, top), party(paper, say`To`, sheet.buyer, 310, top)]
  let y = Math.max(...ends) + 28
  y = row(paper, y, { text: say`Description`, period: say`Period`, amount: say`Amount` }, { font: 'bold', color: SOFT })
  y = rule(paper, y)
  for (const line of sheet.lines) y = row(paper, y, line, { font: 'plain', color: INK })
  y = rule(paper, y)
  for (const { text, amount, isTotal } of sheet.sums) {
    y = row(paper, y, { text, period: '', amount }, { font: isTotal ? 'bold' : 'plain', color: INK })
  }
  for (const { text, amount } of sheet.payments) y = wide(paper, y, text, amount)
  paper.fillColor(SOFT).font('plain').fontSize(9)
  let at = y + 24
  for (const remark of sheet.remarks) {
    at = onThisPage(paper, at, 14)
    paper.text(remark, LEFT, at, { width: RIGHT - LEFT })
    at = paper.y + 4
  }
}

function party(paper: Paper, title: string, lines: readonly string[], x: number, top: number): number {
  paper.fillColor(SOFT).font('plain').fontSize(9).text(title, x, top, { width: 220 })
  lines.forEach((line, i) => {
    paper
      .fillColor(INK)
      .font(i === 0 ? 'bold' : 'plain')
      .fontSize(10)
    paper.text(line, x, paper.y + 3, { width: 220 })
  })
  return paper.y
}

interface Look {
  readonly font: keyof typeof FONTS
  readonly color: string
}

function row(paper: Paper, from: number, cells: Record<keyof typeof COLUMNS, string>, { font, color }: Look): number {
  paper.font(font).fontSize(10)
  const widths = { text: COLUMNS.period - LEFT - 12, period: COLUMNS.amount - COLUMNS.period - 12 }
  const height = Math.max(
    paper.heightOfString(cells.text, { width: widths.text }),
    paper.heightOfString(cells.period || ' ', { width: widths.period }),
  )
  const y = onThisPage(paper, from, height)
  paper.fillColor(color)
  paper.text(cells.text, COLUMNS.text, y, { width: widths.text })
  paper.text(cells.period, COLUMNS.period, y, { width: widths.period })
  paper.text(cells.amount, COLUMNS.amount, y, { width: RIGHT - COLUMNS.amount, align: 'right' })
  return y + height + 8
}

function wide(paper: Paper, from: number, text: string, amount: string): number {
  paper.font('plain').fontSize(10)
  const width = COLUMNS.amount - LEFT - 12
  const height = paper.heightOfString(text, { width })
  const y = onThisPage(paper, from, height)
  paper.fillColor(INK).text(text, LEFT, y, { width })
  paper.text(amount, COLUMNS.amount, y, { width: RIGHT - COLUMNS.amount, align: 'right' })
  return y + height + 8
}

function rule(paper: Paper, y: number): number {
  paper.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(LINE).stroke()
  return y + 10
}

/** Continues on a new page if this one is full. */
function onThisPage(paper: Paper, y: number, height: number): number {
  if (y + height <= BOTTOM) return y
  paper.addPage()
  return PAGE.margin
}

let read: readonly (readonly [name: string, bytes: Buffer])[] | undefined

/** Read once, on the first PDF. */
function fonts() {
  read ??= Object.entries(FONTS).map(([name, file]) => [name, readFileSync(new URL(file))])
  return read
}
