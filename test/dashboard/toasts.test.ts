import assert from 'node:assert/strict'
import { test } from 'node:test'
import { say, toasts } from '../../plugins/dashboard/app/toasts.ts'

test('news makes room for later messages; a failure and an offer stay, up to a limit', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const titles = () => toasts.value.map(({ title }) => title)
  say({ tone: 'bad', title: 'Refused' })
  say({ tone: 'good', title: 'Deleted', act: { label: 'Undo', run: () => undefined } })
  for (let index = 1; index <= 6; index++) say({ tone: 'info', title: `Mail ${index}`, passing: true })
  assert.deepEqual(titles(), ['Refused', 'Deleted', 'Mail 5', 'Mail 6'])
  t.mock.timers.tick(8_000)
  assert.deepEqual(titles(), ['Refused'])
  for (let index = 1; index <= 30; index++) say({ tone: 'bad', title: `Failure ${index}` })
  assert.equal(toasts.value.length, 12)
  say({ tone: 'info', title: 'The latest', passing: true })
  assert.equal(titles().at(-1), 'The latest')
})
