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

/** Factur-X 1.0, 6: the name of the file, the relationship, and the metadata with their PDF/A extension schema. */
export function embedEInvoice(paper: PDFKit.PDFDocument, eInvoice: string, at: Date): void {
  paper.file(Buffer.from(eInvoice), {
    ...{ name: 'factur-x.xml', type: 'application/xml', relationship: 'Alternative', description: 'Factur-X' },
    ...{ creationDate: at, modifiedDate: at },
  })
  paper.appendXML(FACTUR_X)
}

const PROPERTIES = {
  DocumentType: 'INVOICE',
  DocumentFileName: 'factur-x.xml',
  Version: '1.0',
  ConformanceLevel: 'EN 16931',
}
const FACTUR_X_NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
const FACTUR_X = `
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${FACTUR_X_NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${Object.keys(PROPERTIES)
  .map(
    name => `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${name}</pdfaProperty:description></rdf:li>`,
  )
  .join('')}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:fx="${FACTUR_X_NAMESPACE}">
${Object.entries(PROPERTIES)
  .map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`)
  .join('')}
</rdf:Description>`
