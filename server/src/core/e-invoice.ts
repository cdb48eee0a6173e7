import type { Address } from './business-record.ts'
import { decimalOf } from './money.ts'
import { type InvoiceTax, percentOf } from './tax.ts'
import { normalTaxId, prefixOf } from './tax-id.ts'

/** A seller or buyer on an e-invoice. */
export interface EParty {
  readonly name: string
  readonly email: string
  readonly country: string
  readonly address: Address
  readonly taxId?: string
}

/** An invoice or a credit note as an e-invoice. Minor units. */
export interface EInvoice {
  readonly kind: 'INVOICE' | 'CREDIT_NOTE'
  readonly number: string
  readonly issuedAt: Date
  readonly currency: string
  readonly seller: EParty
  readonly buyer: EParty
  readonly line: string
  readonly period: { readonly start: Date; readonly end: Date }
  readonly tax: Pick<InvoiceTax, 'net' | 'tax' | 'gross' | 'rate' | 'isReverseCharge'>
  /** The credit that was applied to the invoice at issue. */
  readonly prepaid: number
  /** The invoice of a credit note. */
  readonly corrects?: { readonly number: string; readonly issuedAt: Date }
}

/** EN 16931-1, without national extensions. */
const PROFILE = 'urn:cen.eu:en16931:2017'

/**
 * The document in the syntax CII (UN/CEFACT Cross Industry Invoice D16B) of EN 16931, the file that Factur-X and ZUGFeRD embed. The document
 * shows the state at issue and never changes.
 */
export function eInvoiceXml(of: EInvoice): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlOf([
    'rsm:CrossIndustryInvoice',
    NAMESPACES,
    [
      [
        'rsm:ExchangedDocumentContext',
        {},
        [['ram:GuidelineSpecifiedDocumentContextParameter', {}, [['ram:ID', {}, PROFILE]]]],
      ],
      [
        'rsm:ExchangedDocument',
        {},
        [
          ['ram:ID', {}, of.number],
          ['ram:TypeCode', {}, of.kind === 'INVOICE' ? '380' : '381'],
          ['ram:IssueDateTime', {}, [day('udt', of.issuedAt)]],
        ],
      ],
      [
        'rsm:SupplyChainTradeTransaction',
        {},
        [lineOf(of), agreementOf(of), ['ram:ApplicableHeaderTradeDelivery', {}, ''], settlementOf(of)],
      ],
    ],
  ])}\n`
}

/** An element: name, attributes, and text or children. */
type Element = readonly [
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly Element[],
]

const NAMESPACES = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
}

function lineOf({ line, period, currency, tax }: EInvoice): Element {
  const net = decimalOf(tax.net, currency)
  return [
    'ram:IncludedSupplyChainTradeLineItem',
    {},
    [
      ['ram:AssociatedDocumentLineDocument', {}, [['ram:LineID', {}, '1']]],
      ['ram:SpecifiedTradeProduct', {}, [['ram:Name', {}, line]]],
      ['ram:SpecifiedLineTradeAgreement', {}, [['ram:NetPriceProductTradePrice', {}, [['ram:ChargeAmount', {}, net]]]]],
      // C62 is the unit "one" of UN/ECE recommendation 20.
      ['ram:SpecifiedLineTradeDelivery', {}, [['ram:BilledQuantity', { unitCode: 'C62' }, '1']]],
      [
        'ram:SpecifiedLineTradeSettlement',
        {},
        [
          ['ram:ApplicableTradeTax', {}, categoryOf(tax)],
          periodOf(period),
          ['ram:SpecifiedTradeSettlementLineMonetarySummation', {}, [['ram:LineTotalAmount', {}, net]]],
        ],
      ],
    ],
  ]
}

function agreementOf({ seller, buyer }: EInvoice): Element {
  return [
    'ram:ApplicableHeaderTradeAgreement',
    {},
    [
      ['ram:SellerTradeParty', {}, partyOf(seller)],
      ['ram:BuyerTradeParty', {}, partyOf(buyer)],
    ],
  ]
}

function partyOf({ name, email, country, address, taxId }: EParty): Element[] {
  const { line1, line2, city, territory, postalCode } = address
  const vatId = taxId === undefined ? undefined : vatIdOf(taxId, country)
  return [
    ['ram:Name', {}, name],
    [
      'ram:PostalTradeAddress',
      {},
      [
        ...filled('ram:PostcodeCode', postalCode),
        ...filled('ram:LineOne', line1),
        ...filled('ram:LineTwo', line2),
        ...filled('ram:CityName', city),
        ['ram:CountryID', {}, country],
        ...filled('ram:CountrySubDivisionName', territory),
      ],
    ],
    ['ram:URIUniversalCommunication', {}, [['ram:URIID', { schemeID: 'EM' }, email]]],
    ...(vatId === undefined ? [] : [registrationOf('VA', vatId)]),
    // Any other number is a tax registration without a country.
    ...(vatId === undefined && taxId !== undefined ? [registrationOf('FC', taxId)] : []),
  ]
}

function registrationOf(schemeID: 'VA' | 'FC', id: string): Element {
  return ['ram:SpecifiedTaxRegistration', {}, [['ram:ID', { schemeID }, id]]]
}

/** The VAT number in a tax id such as "VAT DE 123 456 789". Rule BR-CO-09: the number begins with its country. */
export function vatIdOf(taxId: string, country: string): string | undefined {
  const prefix = prefixOf(country) ?? country
  const normal = normalTaxId(taxId)
  const from = normal.indexOf(prefix)
  return from >= 0 && /^\w+$/.test(normal.slice(from)) ? normal.slice(from) : undefined
}

function settlementOf({ kind, currency, tax, period, prepaid, corrects, issuedAt }: EInvoice): Element {
  const money = (amount: number) => decimalOf(amount, currency)
  return [
    'ram:ApplicableHeaderTradeSettlement',
    {},
    [
      ['ram:InvoiceCurrencyCode', {}, currency],
      [
        'ram:ApplicableTradeTax',
        {},
        [
          ['ram:CalculatedAmount', {}, money(tax.tax)],
          ['ram:TypeCode', {}, 'VAT'],
          ...(tax.isReverseCharge ? [['ram:ExemptionReason', {}, 'Reverse charge'] as const] : []),
          ['ram:BasisAmount', {}, money(tax.net)],
          ['ram:CategoryCode', {}, categoryCodeOf(tax)],
          ...(tax.isReverseCharge ? [['ram:ExemptionReasonCode', {}, 'VATEX-EU-AE'] as const] : []),
          ['ram:RateApplicablePercent', {}, percentOf(tax.rate)],
        ],
      ],
      periodOf(period),
      [
        'ram:SpecifiedTradePaymentTerms',
        {},
        [
          [
            'ram:Description',
            {},
            kind === 'INVOICE' ? 'Charged to the payment method on file.' : 'Returned by refund or as credit.',
          ],
          ['ram:DueDateDateTime', {}, [day('udt', issuedAt)]],
        ],
      ],
      [
        'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
        {},
        [
          ['ram:LineTotalAmount', {}, money(tax.net)],
          ['ram:TaxBasisTotalAmount', {}, money(tax.net)],
          ['ram:TaxTotalAmount', { currencyID: currency }, money(tax.tax)],
          ['ram:GrandTotalAmount', {}, money(tax.gross)],
          ['ram:TotalPrepaidAmount', {}, money(prepaid)],
          ['ram:DuePayableAmount', {}, money(tax.gross - prepaid)],
        ],
      ],
      ...(corrects === undefined
        ? []
        : [
            [
              'ram:InvoiceReferencedDocument',
              {},
              [
                ['ram:IssuerAssignedID', {}, corrects.number],
                ['ram:FormattedIssueDateTime', {}, [day('qdt', corrects.issuedAt)]],
              ],
            ] as const,
          ]),
    ],
  ]
}

function categoryOf(tax: EInvoice['tax']): Element[] {
  return [
    ['ram:TypeCode', {}, 'VAT'],
    ['ram:CategoryCode', {}, categoryCodeOf(tax)],
    ['ram:RateApplicablePercent', {}, percentOf(tax.rate)],
  ]
}

/** UNTDID 5305: standard rate, zero rate, reverse charge. */
function categoryCodeOf({ rate, isReverseCharge }: EInvoice['tax']): 'S' | 'Z' | 'AE' {
  if (isReverseCharge) return 'AE'
  return rate === 0 ? 'Z' : 'S'
}

/** The end of our period is exclusive, and the end date of the standard is inclusive. */
function periodOf({ start, end }: EInvoice['period']): Element {
  return [
    'ram:BillingSpecifiedPeriod',
    {},
    [
      ['ram:StartDateTime', {}, [day('udt', start)]],
      ['ram:EndDateTime', {}, [day('udt', new Date(Math.max(start.getTime(), end.getTime() - 1)))]],
    ],
  ]
}

/** Format 102: YYYYMMDD, in UTC. */
function day(namespace: 'udt' | 'qdt', at: Date): Element {
  return [`${namespace}:DateTimeString`, { format: '102' }, at.toISOString().slice(0, 10).replaceAll('-', '')]
}

function filled(name: string, text: string | undefined): Element[] {
  return text === undefined || text.trim() === '' ? [] : [[name, {}, text]]
}

function xmlOf([name, attributes, content]: Element): string {
  const head = `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ')}>`
  return `${head}${typeof content === 'string' ? escaped(content) : content.map(xmlOf).join('')}</${name}>`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0, 2.2: a document has no control characters but tab and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function escaped(text: string): string {
  return text.replaceAll(FORBIDDEN, '').replaceAll(/[&<>"]/g, c => ESCAPES[c] ?? c)
}
