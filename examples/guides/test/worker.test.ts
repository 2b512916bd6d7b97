import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { call, type Work, workLoop, workOnce } from '../worker.ts'

const start = (): Promise<TestGateway> => startTestGateway({ plugins: standardPlugins, listen: true })

/** Delivers each request, and loses the first answer to each tool. */
function losing(): { readonly send: typeof fetch; readonly lost: string[] } {
  const lost: string[] = []
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const tool = String(input)
    if (lost.includes(tool)) return response
    lost.push(tool)
    await response.arrayBuffer()
    throw new TypeError('the connection was closed')
  }
  return { send, lost }
}

test('a worker takes a task with the context of its repo, extends its lease, and leaves result, handoff and memory', async () => {
  await using gateway = await start()
  await gateway.call('handoff_write', { repo: 'web', content: 'The build is green again.', summary: 'Build' })
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'Mend the header' })
  let seen: string | undefined
  const work: Work = async ({ title }, context, extend) => {
    seen = context
    await extend(600)
    return { notes: `${title}: done.`, handoff: 'The header is mended; the footer is next.', memory: 'The header is in header.css.' }
  }
  assert.equal(await workOnce({ url: gateway.url }, 'ada', work), true)
  assert.match(seen ?? '', /The build is green again/)
  const { tasks } = await gateway.call('tasks_list', { taskId: task.taskId })
  assert.deepEqual([tasks[0].status, tasks[0].workedBy], ['done', 'ada'])
  assert.match((await gateway.call('handoff_read', { repo: 'web' })).latest.content, /the footer is next/)
  assert.equal(await workOnce({ url: gateway.url }, 'ada', work, 0), false)
})

test('each call whose answer was lost is repeated, and takes effect once', async () => {
  await using gateway = await start()
  const { send, lost } = losing()
  const through = { url: gateway.url, send }
  await call(through, 'tasks_create', { repo: 'web', title: 'Once' })
  await workOnce(through, 'ada', async () => ({ notes: 'Done.', handoff: 'Nothing is left.' }))
  assert.equal(lost.length, 3)
  const { tasks } = await gateway.call('tasks_list', { repo: 'web' })
  assert.deepEqual(
    tasks.map(({ status, retryCount }: { status: string; retryCount?: number }) => [status, retryCount]),
    [['done', undefined]],
  )
  assert.equal((await gateway.documents('local'))['state.handoffs']?.length, 1)
})

test('a call outlasts a restart, during which nothing listens', async () => {
  await using gateway = await start()
  const listensAt = performance.now() + 2_500
  const send: typeof fetch = async (input, init) => {
    if (performance.now() < listensAt) throw new TypeError('connect ECONNREFUSED')
    return await fetch(input, init)
  }
  await call({ url: gateway.url, send }, 'tasks_create', { repo: 'web', title: 'After the restart' })
  assert.equal((await gateway.call('tasks_list', { repo: 'web' })).tasks.length, 1)
})

test('work that throws is a failure that is retried, and a refusal is not repeated', async () => {
  await using gateway = await start()
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'Hard' })
  await workOnce({ url: gateway.url }, 'ada', async () => {
    throw new Error('no disk')
  })
  const { tasks } = await gateway.call('tasks_list', { taskId: task.taskId })
  assert.deepEqual([tasks[0].status, tasks[0].retryCount, tasks[0].lastError], ['pending', 1, 'Error: no disk'])
  await assert.rejects(call({ url: gateway.url }, 'work_done', { taskId: task.taskId, claimId: 'claim-x', outcome: 'done' }), /CONFLICT/)
})

test('the loop waits for a task that comes later, and finishes it before it stops', async () => {
  await using gateway = await start()
  const stop = new AbortController()
  const looping = workLoop(
    { url: gateway.url },
    'ada',
    async () => {
      stop.abort()
      return { notes: 'Done.' }
    },
    stop.signal,
  )
  const ended = once(stop.signal, 'abort')
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'Later' })
  await ended
  await looping
  assert.equal((await gateway.call('tasks_list', { taskId: task.taskId })).tasks[0].status, 'done')
})
