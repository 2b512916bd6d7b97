import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { focused, list, set, start } from './support.ts'

test('days are listed by repo and number, and of one repo alone when it is named', async () => {
  await using gateway = await start()
  await set(gateway, focused(11))
  await set(gateway, focused(2), { repo: 'api' })
  await set(gateway, focused(1), { repo: 'web:1' })
  const named = (await list(gateway)).map(({ repo, day }) => `${repo} ${day}`)
  assert.deepEqual(named, ['api 1', 'api 2', ...Array.from({ length: 11 }, (_, n) => `web ${n + 1}`), 'web:1 1'])
  assert.deepEqual(
    (await list(gateway, { repo: 'api' })).map(({ day, focus, status }) => [day, focus, status]),
    [
      [1, 'focus 1', 'enabled'],
      [2, 'focus 2', 'enabled'],
    ],
  )
  assert.deepEqual(await list(gateway, { repo: 'none' }), [])
})

test('200 days at a time, at most 1000, and nextCursor leads to the rest while others write', async () => {
  await using gateway = await start()
  for (const repo of ['a', 'b']) await set(gateway, focused(600), { repo })
  const counted = async (args: object) => {
    const { days, nextCursor } = await gateway.call('plan_list', args)
    return [days.length, nextCursor !== undefined]
  }
  assert.deepEqual(await counted({}), [200, true])
  assert.deepEqual(await counted({ limit: 5_000 }), [1_000, true])
  assert.deepEqual(await counted({ repo: 'b', limit: 600 }), [600, false])
  const seen: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await gateway.call('plan_list', { repo: 'b', limit: 250, ...(cursor && { cursor }) })
    seen.push(...page.days.map(({ day }: { day: number }) => day))
    cursor = page.nextCursor
    if (!cursor) break
    await gateway.call('plan_delete', { repo: 'a' }).catch(() => {})
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 600 }, (_, n) => n + 1),
  )
})

test('a limit below 1 and a cursor that is none are refused by name', async () => {
  await using gateway = await start()
  await assert.rejects(list(gateway, { limit: 0 }), refusal('BAD_REQUEST', 'limit'))
  await assert.rejects(list(gateway, { cursor: 'x' }), refusal('BAD_REQUEST', 'cursor'))
})

test('each tenant has its own plans, and GET /api/plans is the same tool', async () => {
  await using gateway = await start()
  await set(gateway, focused(1))
  assert.deepEqual(await list(gateway, {}, { as: { tenantId: 'acme' } }), [])
  const answer = await gateway.inject({ method: 'GET', url: '/api/plans?repo=web&limit=1' })
  assert.deepEqual([answer.status, answer.json()], [200, { days: await list(gateway) }])
})
