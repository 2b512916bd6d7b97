import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { audited, focused, list, set, start, TODAY, trashed } from './support.ts'

const times = (days: readonly { day: number; date: string; fireAt: string }[]) => days.map(({ day, date, fireAt }) => [day, date, fireAt])

test('day 1 is startDate, each further day one later, and what fires at 23 UTC moves to 18:00 of the weekday in Sydney', async () => {
  await using gateway = await start()
  // The clock in Sydney goes back on 5 April 2026: 18:00 is 7:00 in UTC before, 8:00 after.
  const { repo, days } = await set(gateway, focused(5), { startDate: '2026-04-02' })
  assert.equal(repo, 'web')
  assert.deepEqual(times(days), [
    [1, '2026-04-02', '2026-04-03T07:00:00.000Z'],
    [2, '2026-04-03', '2026-04-03T23:00:00.000Z'],
    [3, '2026-04-04', '2026-04-04T23:00:00.000Z'],
    [4, '2026-04-05', '2026-04-06T08:00:00.000Z'],
    [5, '2026-04-06', '2026-04-07T08:00:00.000Z'],
  ])
})

test('a time outside of working hours keeps its hour', async () => {
  await using gateway = await start()
  for (const fireHourUtc of [7, 12, 21]) {
    const { days } = await set(gateway, [{ day: 1 }], { startDate: '2026-01-06', fireHourUtc })
    assert.equal(days[0].fireAt, `2026-01-06T${String(fireHourUtc).padStart(2, '0')}:00:00.000Z`)
  }
})

test('without more than a number a day is of today, at 23 UTC, enabled and without focus', async () => {
  await using gateway = await start()
  const now = new Date(gateway.clock.now()).toISOString()
  const { days } = await set(gateway, [{ day: 2 }])
  const expected = {
    planDayId: 'web:2',
    repo: 'web',
    day: 2,
    date: '2026-01-06',
    fireHourUtc: 23,
    fireAt: '2026-01-07T07:00:00.000Z',
    focus: '',
    status: 'enabled',
    createdAt: now,
    updatedAt: now,
  }
  assert.deepEqual(days, [expected])
  assert.deepEqual(await list(gateway), [expected])
})

test('a day over the end of a month and of a leap February is a real one', async () => {
  await using gateway = await start()
  const { days } = await set(gateway, [{ day: 2 }, { day: 3 }, { day: 366 }], { startDate: '2028-02-28' })
  assert.deepEqual(
    days.map(({ date }: { date: string }) => date),
    ['2028-02-29', '2028-03-01', '2029-02-27'],
  )
})

test('of a day that stands only what is given changes, and other days stay', async () => {
  await using gateway = await start()
  const { days } = await set(gateway, focused(3), { startDate: '2026-03-02', fireHourUtc: 12 })
  gateway.clock.advance(3 * 86_400)
  const later = (milliseconds: number): string => new Date(gateway.clock.now() + milliseconds).toISOString()
  const updatedAt = later(0)
  await set(gateway, [{ day: 2, status: 'done' }])
  assert.deepEqual(await list(gateway), [days[0], { ...days[1], status: 'done', updatedAt }, days[2]])
  await set(gateway, [{ day: 2, focus: 'other' }], { fireHourUtc: 13 })
  // A second change in the same millisecond is later all the same.
  const second = { ...days[1], status: 'done', focus: 'other', fireHourUtc: 13, fireAt: '2026-03-03T13:00:00.000Z', updatedAt: later(1) }
  assert.deepEqual((await list(gateway))[1], second)
  await set(gateway, [{ day: 2 }], { startDate: '2026-05-01' })
  assert.deepEqual((await list(gateway))[1], { ...second, date: '2026-05-02', fireAt: '2026-05-02T13:00:00.000Z', updatedAt: later(2) })
  assert.deepEqual([await trashed(gateway), await audited(gateway, 'plan.trash')], [[], []])
})

test('replace moves the whole plan of the repo to one entry of the trash, and writes anew', async () => {
  await using gateway = await start()
  await set(gateway, focused(3), { fireHourUtc: 12, startDate: '2026-03-02' })
  const other = (await set(gateway, focused(1), { repo: 'other' })).days
  const { trashId, replacedDays, days } = await set(gateway, [{ day: 2, focus: 'new' }], { replace: true })
  assert.equal(replacedDays, 3)
  assert.deepEqual([days[0].focus, days[0].date, days[0].fireHourUtc], ['new', '2026-01-06', 23], 'nothing of the old plan is in the new')
  assert.deepEqual(await list(gateway), [...other, ...days])
  const [entry, ...more] = await trashed(gateway)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [entry.trashId, entry.kind, entry.repo, entry.itemCount, entry.label, entry.restoreTool],
    [trashId, 'plan', 'web', 3, 'Plan of web, 3 days', 'plan_restore'],
  )
  assert.deepEqual(await audited(gateway, 'plan.trash'), [{ repo: 'web', trashId, dayCount: 3 }])
})

test('replace where nothing stands trashes nothing and audits nothing', async () => {
  await using gateway = await start()
  const answer = await set(gateway, [{ day: 1 }], { replace: true })
  assert.deepEqual([answer.trashId, answer.replacedDays], [undefined, undefined])
  assert.deepEqual([await trashed(gateway), await audited(gateway, 'plan.trash')], [[], []])
})

test('the days come back by number, whatever order they were given in', async () => {
  await using gateway = await start()
  const { days } = await set(gateway, [{ day: 10 }, { day: 2 }, { day: 1, status: 'blocked' }])
  assert.deepEqual(
    days.map(({ day, status }: { day: number; status: string }) => [day, status]),
    [
      [1, 'blocked'],
      [2, 'enabled'],
      [10, 'enabled'],
    ],
  )
})

test('wrong input is refused by name, and nothing changes, replace or not', async () => {
  await using gateway = await start()
  const { days } = await set(gateway, focused(2))
  const wrong: [readonly object[], object, string][] = [
    [[{ day: 0 }], {}, 'days[0].day'],
    [[{ day: 1.5 }], {}, 'days[0].day'],
    [[{ day: 1_001 }], {}, 'days[0].day'],
    [[{ day: 3 }, { day: 3 }], {}, 'days[1].day'],
    [[{ focus: 'x' }], {}, 'days[0].day'],
    [[{ day: 3, status: 'open' }], {}, 'days[0].status'],
    [[{ day: 3, focus: 'x'.repeat(2_001) }], {}, 'days[0].focus'],
    [[], {}, 'days'],
    [[{ day: 3 }], { startDate: 'tomorrow' }, 'startDate'],
    [[{ day: 3 }], { startDate: '2026-02-30' }, 'startDate'],
    [[{ day: 3 }], { startDate: '2026-13-01' }, 'startDate'],
    [[{ day: 3 }], { startDate: `${TODAY}T00:00:00Z` }, 'startDate'],
    [[{ day: 3 }], { fireHourUtc: 24 }, 'fireHourUtc'],
    [[{ day: 3 }], { fireHourUtc: -1 }, 'fireHourUtc'],
    [[{ day: 3 }], { fireHourUtc: 9.5 }, 'fireHourUtc'],
    [[{ day: 3 }], { repo: ' ' }, 'repo'],
    [[{ day: 3 }], { repo: 'a\0' }, 'repo'],
  ]
  for (const replace of [false, true]) {
    for (const [drafts, args, field] of wrong)
      await assert.rejects(set(gateway, drafts, { replace, ...args }), refusal('BAD_REQUEST', field))
  }
  assert.deepEqual([await list(gateway), await trashed(gateway)], [days, []])
})

test('many who replace at once: one plan is left, and each of the others is one entry of the trash', async () => {
  await using gateway = await start()
  const writers = Array.from({ length: 8 }, (_, n) => `writer ${n}`)
  await Promise.all(writers.map((who) => set(gateway, focused(3, who), { replace: true })))
  const left = await list(gateway)
  assert.equal(left.length, 3)
  assert.equal(new Set(left.map(({ focus }) => focus.slice(0, 8))).size, 1, 'no plan is a mix of two')
  assert.deepEqual(
    (await trashed(gateway)).map(({ itemCount }: { itemCount: number }) => itemCount),
    writers.slice(1).map(() => 3),
  )
})

test('PUT /api/plans/:repo is the same tool, also for a name with a slash', async () => {
  await using gateway = await start()
  const body = { days: [{ day: 1, focus: 'x' }], startDate: '2026-01-06' }
  const put = await gateway.inject({ method: 'PUT', url: '/api/plans/team%2Fweb', body })
  assert.equal(put.status, 200)
  assert.deepEqual(put.json(), { repo: 'team/web', days: await list(gateway) })
})
