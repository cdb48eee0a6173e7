import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalTaxId, taxIdProblem } from './tax-id.ts'

test('a VAT number has the prefix and the format of its country, with any spacing', () => {
  for (const [country, taxId] of [
    ['DE', 'DE 123.456.789'],
    ['AT', 'ATU12345678'],
    ['FR', 'FRXX 123456789'],
    ['ES', 'ESX1234567X'],
    ['NL', 'NL123456789B01'],
    ['GR', 'EL123456789'],
    ['CH', 'CHE-123.456.789 MWST'],
    ['US', '12-3456789'],
  ] as const) {
    assert.equal(taxIdProblem(taxId, country), null, taxId)
  }
  assert.equal(normalTaxId('de 123.456.789'), 'DE123456789')
})

test('a wrong prefix, a wrong length and other characters are problems', () => {
  for (const [country, taxId] of [
    ['DE', 'FR12345678901'],
    ['DE', 'DE12345678'],
    ['DE', '123456789'],
    ['GR', 'GR123456789'],
    ['US', 'abc'],
    ['US', '12345678901234567890X'],
    ['US', '12_34567'],
  ] as const) {
    assert.notEqual(taxIdProblem(taxId, country), null, taxId)
  }
})
