import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRetryAfter } from '@gateway/sdk'

const NOW = Date.parse('2026-01-05T09:00:00Z')
const read = (header: string | string[] | undefined, maxMs?: number) => readRetryAfter(header, NOW, maxMs)

test('Retry-After is read as seconds and as a date in each form that HTTP knows, whatever the time zone of the machine', () => {
  assert.deepEqual(
    ['120', '0', '1.5', ' 7 '].map((one) => read(one)),
    [120_000, 0, 1_500, 7_000],
  )
  for (const date of [
    'Mon, 05 Jan 2026 09:02:00 GMT',
    'Monday, 05-Jan-26 09:02:00 GMT',
    'Mon Jan  5 09:02:00 2026',
    'Mon, 05 Jan 2026 11:02:00 +0200',
    '2026-01-05T09:02:00Z',
    '2026-01-05T10:02:00+01:00',
  ])
    assert.equal(read(date), 120_000, date)
  assert.equal(read(['120', '5']), 120_000)
})

test('a date in the past asks for no pause, and a pause has a bound', () => {
  assert.equal(read('Fri, 31 Dec 1999 23:59:59 GMT'), 0)
  assert.deepEqual([read('86400'), read('Mon, 05 Jan 2099 09:02:00 GMT'), read('120', 60_000)], [3_600_000, 3_600_000, 60_000])
})

test('a Retry-After that is neither seconds nor a date counts as absent', () => {
  for (const junk of [undefined, [], '', 'soon', '-1', '12 monkeys', 'try 5', '1e3', 'Infinity', '٣', 'Mon, 99 Foo 2026 09:02:00 GMT'])
    assert.equal(read(junk as string), undefined, String(junk))
})
