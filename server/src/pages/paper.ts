import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import { htmlLanguage } from '../platform/web/say.ts'

/** Covers Latin, Greek, Cyrillic, Arabic and Hebrew. Other characters appear as boxes. */
const FONTS = {
  plain: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
} as const

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 }
export const LEFT = PAGE.margin
export const RIGHT = PAGE.width - PAGE.margin
const BOTTOM = PAGE.height - PAGE.margin
const LINE_GAP = 8
const INK = '#1f1b16'
const SOFT = '#5c554b'
const LINE = '#d8cfbf'

export type Paper = PDFKit.PDFDocument

/** The brand of the platform, above the title. */
export interface DocumentBrand {
  readonly name: string
  /** PNG or JPEG. */
  readonly logo?: Buffer
}

interface Paperwork {
  readonly brand: DocumentBrand
  readonly info: PDFKit.DocumentInfo
  /** The date of the file. */
  readonly at: Date
  /** Options of PDFKit for special files. */
  readonly options?: PDFKit.PDFDocumentOptions
}

/** Draws a document on A4 and returns the file. Equal drawings give equal bytes. */
export function drawn({ brand, info, at, options = {} }: Paperwork, draw: (paper: Paper) => void): Promise<Buffer> {
  const paper = new PDFDocument({
    ...{ size: 'A4', margin: PAGE.margin, lang: htmlLanguage(), displayTitle: true, font: '', ...options },
    info: { Creator: brand.name, Producer: brand.name, ...info, CreationDate: at, ModDate: at },
  })
  for (const [name, bytes] of fonts()) paper.registerFont(name, bytes)
  const chunks: Buffer[] = []
  const written = new Promise<Buffer>((resolve, reject) => {
    paper.on('data', chunk => chunks.push(chunk))
    paper.on('end', () => resolve(Buffer.concat(chunks)))
    paper.on('error', reject)
  })
  head(paper, brand)
  draw(paper)
  paper.end()
  return written
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

interface Title {
  readonly title: string
  readonly state: string
  readonly under: string
}

/** The title, the state opposite, and a line under both. Returns the place below. */
export function titled(paper: Paper, { title, state, under }: Title): number {
  paper
    .fillColor(INK)
    .font('bold')
    .fontSize(title.length > 24 ? 17 : 22)
    .text(title, LEFT, PAGE.margin, { width: 350 })
  paper.fontSize(11).text(state, 410, PAGE.margin + 8, { width: RIGHT - 410, align: 'right' })
  paper
    .fillColor(SOFT)
    .font('plain')
    .fontSize(10)
    .text(under, LEFT, paper.y + 12)
  return paper.y + 28
}

interface Party {
  readonly title: string
  /** The name first. */
  readonly lines: readonly string[]
}

/** Two parties side by side. Returns the place below. */
export function parties(paper: Paper, from: number, one: Party, other: Party): number {
  return Math.max(party(paper, from, one, LEFT), party(paper, from, other, 310)) + 28
}

function party(paper: Paper, from: number, { title, lines }: Party, x: number): number {
  paper.fillColor(SOFT).font('plain').fontSize(9).text(title, x, from, { width: 220 })
  lines.forEach((line, i) => {
    paper
      .fillColor(INK)
      .font(i === 0 ? 'bold' : 'plain')
      .fontSize(10)
    paper.text(line, x, paper.y + 3, { width: 220, ...(isRightToLeft(line) && { features: [] }) })
  })
  return paper.y
}

/** PDFKit draws word by word from left to right, and a text with a list of features as a whole, in the direction of the script. */
function isRightToLeft(text: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text) && !/[\p{Script=Latin}\p{Nd}]/u.test(text)
}

/** A column ends before the next column begins. Figures are right-aligned. */
export interface PaperColumn {
  readonly x: number
  readonly isNumber?: boolean
}

interface Look {
  readonly look?: 'plain' | 'bold' | 'head'
  readonly size?: number
}

/** A row of a table. Continues on a new page if this one is full. Returns the place below. */
export function row(
  paper: Paper,
  from: number,
  columns: readonly PaperColumn[],
  texts: readonly string[],
  { look = 'plain', size = 10 }: Look = {},
): number {
  paper.font(look === 'plain' ? 'plain' : 'bold').fontSize(size)
  const cells = columns.map(({ x, isNumber = false }, i) => ({
    x,
    text: texts[i] ?? '',
    width: (columns[i + 1]?.x ?? RIGHT + 12) - x - 12,
    align: isNumber ? ('right' as const) : ('left' as const),
  }))
  const height = Math.max(...cells.map(({ text, width }) => paper.heightOfString(text || ' ', { width })))
  const y = onThisPage(paper, from, height)
  paper.fillColor(look === 'head' ? SOFT : INK)
  for (const { text, x, width, align } of cells) paper.text(text, x, y, { width, align })
  return y + height + LINE_GAP
}

/** A line across the page. Returns the place below. */
export function rule(paper: Paper, y: number): number {
  paper.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(LINE).stroke()
  return y + 10
}

/** Small paragraphs at the end. */
export function remarks(paper: Paper, from: number, texts: readonly string[]): void {
  paper.fillColor(SOFT).font('plain').fontSize(9)
  let at = from
  for (const text of texts) {
    at = onThisPage(paper, at, 14)
    paper.text(text, LEFT, at, { width: RIGHT - LEFT })
    at = paper.y + 4
  }
}

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
