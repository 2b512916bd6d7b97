import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttentionView } from '@gateway/sdk'
import { create, get, start, type TestGateway, update } from './support.ts'

async function attention(gateway: TestGateway): Promise<AttentionView> {
  return JSON.parse((await gateway.inject({ method: 'GET', url: '/api/attention' })).body)
}

/** Does as the button of the first item of a kind: the call of its action, with the values of its row and of the person. */
async function press(gateway: TestGateway, kind: string, id: string, asked: Record<string, unknown> = {}) {
  const { items, actions } = await attention(gateway)
  const row = items.find((item) => item.kind === kind) as unknown as Record<string, unknown>
  const action = actions[kind]?.find((one) => one.id === id)
  assert.ok(row && action, `${kind} has no ${id}`)
  const given = Object.entries(action.arguments).map(([name, from]) => {
    if (from.from === 'row') return [name, row[from.pointer.slice(1)]]
    return [name, from.from === 'value' ? from.value : asked[name]]
  })
  const body = Object.fromEntries(given)
  const url = action.url.replace(/:(\w+)/g, (_, name) => {
    const value = String(body[name])
    delete body[name]
    return value
  })
  return gateway.inject({ method: action.method as 'POST', url, body: body })
}

test('a task in review waits in the attention queue until a person accepts it there', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway), { status: 'review', prUrl: 'https://code.example/acme/web/pull/7' })
  const { items } = await attention(gateway)
  assert.deepEqual(
    items.map(({ kind, id, title, text, tone, link }) => ({ kind, id, title, text, tone, link })),
    [
      {
        kind: 'review',
        id: task.taskId,
        title: 'Task “A task” is in review',
        text: 'https://code.example/acme/web/pull/7',
        tone: 'warn',
        link: { path: `/tasks/${task.taskId}`, query: {} },
      },
    ],
  )
  assert.equal((await press(gateway, 'review', 'accept')).status, 200)
  assert.equal((await get(gateway, task)).status, 'done')
  assert.deepEqual((await attention(gateway)).items, [])
})

test('a task in review shows the end of its report, and that no code was changed', async () => {
  await using gateway = await start()
  const notes = `Began.\n\n${'The tests pass. '.repeat(20)}`
  await update(gateway, await create(gateway), { status: 'review', notes, noopDispatch: true })
  const [item] = (await attention(gateway)).items
  assert.equal(item?.text, `Repo web · changed docs or state only · ${notes.slice(8, 208)}`)
})

test('a person sends a task in review back from there, with a note that joins its notes', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway), { status: 'review', notes: 'It works.' })
  assert.equal((await press(gateway, 'review', 'send-back', { note: 'The tests are missing.' })).status, 200)
  const { status, notes } = await get(gateway, task)
  assert.deepEqual([status, notes], ['pending', 'It works.\nSent back: The tests are missing.'])
})

test('sending back a task that is not in review is refused and changes nothing', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway), { status: 'done' })
  const url = (id: string) => `/api/tasks/${id}/send-back`
  const late = await gateway.inject({ method: 'POST', url: url(task.taskId), body: { note: 'No.' } })
  assert.deepEqual([late.status, JSON.parse(late.body).code, JSON.parse(late.body).details.field], [409, 'CONFLICT', 'taskId'])
  assert.deepEqual(await get(gateway, task), task)
  const empty = await gateway.inject({ method: 'POST', url: url(task.taskId), body: { note: ' ' } })
  assert.equal(empty.status, 400)
  assert.equal((await gateway.inject({ method: 'POST', url: url('task-0'), body: { note: 'No.' } })).status, 404)
})

test('blocked and dead-lettered tasks wait in the attention queue, and run again at a press', async () => {
  await using gateway = await start()
  for (const [kind, status] of [
    ['blocked', 'blocked'],
    ['dead-letter', 'dead_letter'],
  ] as const) {
    const task = await update(gateway, await create(gateway), { status })
    assert.equal((await press(gateway, kind, 'retry')).status, 200)
    assert.equal((await get(gateway, task)).status, 'pending')
    assert.deepEqual((await attention(gateway)).items, [])
  }
})
