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
