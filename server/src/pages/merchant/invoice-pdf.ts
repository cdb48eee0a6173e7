import { say } from '../../platform/web/say.ts'
import {
  type DocumentBrand,
  drawn,
  LEFT,
  type Paper,
  type PaperColumn,
  parties,
  remarks,
  row,
  rule,
  titled,
} from '../paper.ts'
import { embedEInvoice } from './factur-x.ts'
import type { InvoiceSheet } from './invoice-sheet.ts'

const COLUMNS: readonly PaperColumn[] = [{ x: LEFT }, { x: 240 }, { x: 460, isNumber: true }]
/** Without a period. */
const WIDE: readonly PaperColumn[] = [{ x: LEFT }, { x: 460, isNumber: true }]

/**
 * An invoice as a PDF. Equal sheets give equal bytes: the file's date is the invoice's. With an e-invoice the file is Factur-X (ZUGFeRD):
 * PDF/A-3b with the e-invoice embedded.
 */
export function invoicePdf(sheet: InvoiceSheet, brand: DocumentBrand, eInvoice?: string): Promise<Buffer> {
  const { title, issuedAt: at } = sheet
  if (eInvoice === undefined) {
    const info = { Title: title, Author: sheet.seller[0] ?? '' }
    return drawn({ brand, info, at }, paper => draw(paper, sheet))
  }
  // PDFKit writes the fields of a PDF/A into XML without escapes and counts characters as bytes.
  const maker = plain(brand.name)
  const info = { Title: plain(sheet.number), Creator: maker, Producer: maker }
  return drawn({ brand, info, at, options: { subset: 'PDF/A-3b', pdfVersion: '1.7' } }, paper => {
    draw(paper, sheet)
    embedEInvoice(paper, eInvoice, at)
  })
}

/** Letters and digits of ASCII. */
function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 .-]/g, '').trim()
}

function draw(paper: Paper, sheet: InvoiceSheet): void {
  const top = titled(paper, {
    title: sheet.title,
    state: sheet.state.word,
    under: `${sheet.issued} · ${sheet.app}`,
  })
  const [from, to] = [
    { title: say`Seller`, lines: sheet.seller },
    { title: say`Bill to`, lines: sheet.buyer },
  ]
  let y = parties(paper, top, from, to)
  y = row(paper, y, COLUMNS, [say`Description`, say`Period`, say`Amount`], { look: 'head' })
  y = rule(paper, y)
  for (const { text, period, amount } of sheet.lines) y = row(paper, y, COLUMNS, [text, period, amount])
  y = rule(paper, y)
  for (const { text, amount, isTotal } of sheet.sums) {
    y = row(paper, y, COLUMNS, [text, '', amount], { look: isTotal ? 'bold' : 'plain' })
  }
  for (const { text, amount } of sheet.payments) y = row(paper, y, WIDE, [text, amount])
  remarks(paper, y + 24, sheet.remarks)
}
