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
  const document = xml`
    <rsm:CrossIndustryInvoice
      xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
      xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
      xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"
      xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100">
      <rsm:ExchangedDocumentContext>
        <ram:GuidelineSpecifiedDocumentContextParameter>
          <ram:ID>${PROFILE}</ram:ID>
        </ram:GuidelineSpecifiedDocumentContextParameter>
      </rsm:ExchangedDocumentContext>
      <rsm:ExchangedDocument>
        <ram:ID>${of.number}</ram:ID>
        <ram:TypeCode>${of.kind === 'INVOICE' ? '380' : '381'}</ram:TypeCode>
        <ram:IssueDateTime>${day('udt', of.issuedAt)}</ram:IssueDateTime>
      </rsm:ExchangedDocument>
      <rsm:SupplyChainTradeTransaction>
        ${lineOf(of)}
        <ram:ApplicableHeaderTradeAgreement>
          <ram:SellerTradeParty>${partyOf(of.seller)}</ram:SellerTradeParty>
          <ram:BuyerTradeParty>${partyOf(of.buyer)}</ram:BuyerTradeParty>
        </ram:ApplicableHeaderTradeAgreement>
        <ram:ApplicableHeaderTradeDelivery></ram:ApplicableHeaderTradeDelivery>
        ${settlementOf(of)}
      </rsm:SupplyChainTradeTransaction>
    </rsm:CrossIndustryInvoice>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document.text}\n`
}

/** `C62` is the unit "one" of UN/ECE recommendation 20. */
function lineOf({ line, period, currency, tax }: EInvoice): Xml {
  const net = decimalOf(tax.net, currency)
  return xml`
    <ram:IncludedSupplyChainTradeLineItem>
      <ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID></ram:AssociatedDocumentLineDocument>
      <ram:SpecifiedTradeProduct><ram:Name>${line}</ram:Name></ram:SpecifiedTradeProduct>
      <ram:SpecifiedLineTradeAgreement>
        <ram:NetPriceProductTradePrice><ram:ChargeAmount>${net}</ram:ChargeAmount></ram:NetPriceProductTradePrice>
      </ram:SpecifiedLineTradeAgreement>
      <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">1</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
      <ram:SpecifiedLineTradeSettlement>
        <ram:ApplicableTradeTax>
          <ram:TypeCode>VAT</ram:TypeCode>
          <ram:CategoryCode>${categoryCodeOf(tax)}</ram:CategoryCode>
          <ram:RateApplicablePercent>${percentOf(tax.rate)}</ram:RateApplicablePercent>
        </ram:ApplicableTradeTax>
        ${periodOf(period)}
        <ram:SpecifiedTradeSettlementLineMonetarySummation>
          <ram:LineTotalAmount>${net}</ram:LineTotalAmount>
        </ram:SpecifiedTradeSettlementLineMonetarySummation>
      </ram:SpecifiedLineTradeSettlement>
    </ram:IncludedSupplyChainTradeLineItem>`
}

function partyOf({ name, email, country, address, taxId }: EParty): Xml {
  const { line1, line2, city, territory, postalCode } = address
  const vatId = taxId === undefined ? undefined : vatIdOf(taxId, country)
  // Any other number is a tax registration without a country.
  const id =
    vatId === undefined
      ? taxId && xml`<ram:ID schemeID="FC">${taxId}</ram:ID>`
      : xml`<ram:ID schemeID="VA">${vatId}</ram:ID>`
  return xml`
    <ram:Name>${name}</ram:Name>
    <ram:PostalTradeAddress>
      ${filled('ram:PostcodeCode', postalCode)}
      ${filled('ram:LineOne', line1)}
      ${filled('ram:LineTwo', line2)}
      ${filled('ram:CityName', city)}
      <ram:CountryID>${country}</ram:CountryID>
      ${filled('ram:CountrySubDivisionName', territory)}
    </ram:PostalTradeAddress>
    <ram:URIUniversalCommunication><ram:URIID schemeID="EM">${email}</ram:URIID></ram:URIUniversalCommunication>
    ${id && xml`<ram:SpecifiedTaxRegistration>${id}</ram:SpecifiedTaxRegistration>`}`
}

/** The VAT number in a tax id such as "VAT DE 123 456 789". Rule BR-CO-09: the number begins with its country. */
export function vatIdOf(taxId: string, country: string): string | undefined {
  const prefix = prefixOf(country) ?? country
  const normal = normalTaxId(taxId)
  const from = normal.indexOf(prefix)
  return from >= 0 && /^\w+$/.test(normal.slice(from)) ? normal.slice(from) : undefined
}

function settlementOf({ kind, currency, tax, period, prepaid, corrects, issuedAt }: EInvoice): Xml {
  const money = (amount: number) => decimalOf(amount, currency)
  const terms = kind === 'INVOICE' ? 'Charged to the payment method on file.' : 'Returned by refund or as credit.'
  return xml`
    <ram:ApplicableHeaderTradeSettlement>
      <ram:InvoiceCurrencyCode>${currency}</ram:InvoiceCurrencyCode>
      <ram:ApplicableTradeTax>
        <ram:CalculatedAmount>${money(tax.tax)}</ram:CalculatedAmount>
        <ram:TypeCode>VAT</ram:TypeCode>
        ${tax.isReverseCharge && xml`<ram:ExemptionReason>Reverse charge</ram:ExemptionReason>`}
        <ram:BasisAmount>${money(tax.net)}</ram:BasisAmount>
        <ram:CategoryCode>${categoryCodeOf(tax)}</ram:CategoryCode>
        ${tax.isReverseCharge && xml`<ram:ExemptionReasonCode>VATEX-EU-AE</ram:ExemptionReasonCode>`}
        <ram:RateApplicablePercent>${percentOf(tax.rate)}</ram:RateApplicablePercent>
      </ram:ApplicableTradeTax>
      ${periodOf(period)}
      <ram:SpecifiedTradePaymentTerms>
        <ram:Description>${terms}</ram:Description>
        <ram:DueDateDateTime>${day('udt', issuedAt)}</ram:DueDateDateTime>
      </ram:SpecifiedTradePaymentTerms>
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
        <ram:LineTotalAmount>${money(tax.net)}</ram:LineTotalAmount>
        <ram:TaxBasisTotalAmount>${money(tax.net)}</ram:TaxBasisTotalAmount>
        <ram:TaxTotalAmount currencyID="${currency}">${money(tax.tax)}</ram:TaxTotalAmount>
        <ram:GrandTotalAmount>${money(tax.gross)}</ram:GrandTotalAmount>
        <ram:TotalPrepaidAmount>${money(prepaid)}</ram:TotalPrepaidAmount>
        <ram:DuePayableAmount>${money(tax.gross - prepaid)}</ram:DuePayableAmount>
      </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
      ${
        corrects &&
        xml`
        <ram:InvoiceReferencedDocument>
          <ram:IssuerAssignedID>${corrects.number}</ram:IssuerAssignedID>
          <ram:FormattedIssueDateTime>${day('qdt', corrects.issuedAt)}</ram:FormattedIssueDateTime>
        </ram:InvoiceReferencedDocument>`
      }
    </ram:ApplicableHeaderTradeSettlement>`
}

/** UNTDID 5305: standard rate, zero rate, reverse charge. */
function categoryCodeOf({ rate, isReverseCharge }: EInvoice['tax']): 'S' | 'Z' | 'AE' {
  if (isReverseCharge) return 'AE'
  return rate === 0 ? 'Z' : 'S'
}

/** The end of our period is exclusive, and the end date of the standard is inclusive. */
function periodOf({ start, end }: EInvoice['period']): Xml {
  const last = new Date(Math.max(start.getTime(), end.getTime() - 1))
  return xml`
    <ram:BillingSpecifiedPeriod>
      <ram:StartDateTime>${day('udt', start)}</ram:StartDateTime>
      <ram:EndDateTime>${day('udt', last)}</ram:EndDateTime>
    </ram:BillingSpecifiedPeriod>`
}

/** Format 102: YYYYMMDD, in UTC. */
function day(namespace: 'udt' | 'qdt', at: Date): Xml {
  return element(`${namespace}:DateTimeString`, at.toISOString().slice(0, 10).replaceAll('-', ''), ' format="102"')
}

function filled(name: string, text: string | undefined): Xml | undefined {
  return text === undefined || text.trim() === '' ? undefined : element(name, text)
}

function element(name: string, text: string, attributes = ''): Xml {
  return { text: `<${name}${attributes}>${escaped(text)}</${name}>` }
}

interface Xml {
  readonly text: string
}

/** Escapes text and takes elements as they are. Line breaks in the template are layout, or separate attributes. */
function xml(strings: TemplateStringsArray, ...values: readonly (Xml | string | false | undefined)[]): Xml {
  const parts = strings.map((string, index) => {
    const value = values[index] || ''
    const markup = string.replaceAll(/\n\s*(?=\w)/g, ' ').replaceAll(/\n\s*/g, '')
    return markup + (typeof value === 'string' ? escaped(value) : value.text)
  })
  return { text: parts.join('') }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0, 2.2: a document has no control characters but tab and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function escaped(text: string): string {
  return text.replaceAll(FORBIDDEN, '').replaceAll(/[&<>"]/g, c => ESCAPES[c] ?? c)
}
