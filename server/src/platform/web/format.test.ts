import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  day,
  dayWords,
  instantWords,
  momentWords,
  moneyWords,
  percentWords,
  priceWords,
  rateWords,
  trialWords,
} from './format.ts'
import { inLanguage } from './say.ts'

const at = new Date('2026-03-12T23:05:00Z')

test('a price shows the amount, the interval and the scope', () => {
  const monthly = { amount: 500, currency: 'USD', interval: 'MONTH', intervalCount: 1, scope: 'BUSINESS' } as const
  assert.equal(priceWords(monthly), '$5.00 per month, per business')
  assert.equal(priceWords({ ...monthly, interval: 'YEAR', scope: 'STORE' }), '$5.00 per year, per store')
  assert.equal(
    priceWords({ ...monthly, interval: 'DAY', scope: 'DEVICE', currency: 'JPY' }),
    '¥500 per day, per terminal',
  )
  assert.equal(priceWords({ ...monthly, interval: 'WEEK', currency: 'KWD' }), 'KWD 0.500 per week, per business')
  assert.equal(priceWords({ ...monthly, intervalCount: 3 }), '$5.00 every 3 months, per business')
  assert.equal(priceWords({ ...monthly, amount: 0 }), 'Free')
})

test('credit is shown as a negative amount with a minus sign', () => {
  assert.equal(moneyWords({ amount: -274, currency: 'USD' }), '−$2.74')
})

test('a percentage follows the language, and a rate keeps its four decimals', () => {
  assert.deepEqual([percentWords(0.985), percentWords(1), percentWords(0.12345)], ['98.5%', '100%', '12.3%'])
  assert.equal(
    inLanguage('de', () => percentWords(0.985)),
    '98,5 %',
  )
  assert.equal(rateWords(88_750), '8.875%')
})

test('a trial is shown in days', () => {
  assert.deepEqual([0, 1, 14].map(trialWords), ['', '1 day free', '14 days free'])
})

test('a day is the local day of the business, even if it is another day in UTC', () => {
  assert.equal(dayWords(at), '12 March 2026')
  assert.equal(dayWords(at, 'Asia/Tokyo'), '13 March 2026')
  assert.equal(dayWords(at, 'America/Los_Angeles'), '12 March 2026')
  assert.equal(instantWords(at, 'Europe/Berlin'), '13 March 2026 at 00:05')
  assert.equal(momentWords(at), '12 March 2026 at 23:05:00 UTC')
  assert.equal(day(at, 'Asia/Tokyo').text, '<time class="day" datetime="2026-03-12T23:05:00.000Z">13 March 2026</time>')
})
