import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { outside } from '../stories/support.ts'
import { keptKeys } from './kept-keys.ts'

const CALLS: Readonly<Record<string, object>> = {
  notifications_send: { message: 'The pump leaks.' },
  agents_invoke: { agent: 'summarizer', message: 'Why does the pump leak?' },
  dispatch_cycle: {},
}

let gateway: TestGateway
let world: Awaited<ReturnType<typeof outside>>
/** Tools whose key was reserved when the model or the chat received a request. */
let reserved: string[][] = []
before(async () => {
  world = await outside('Its seal is worn.', async () => {
    reserved.push(
      keptKeys(gateway.dataDir).flatMap(({ tool, process, answer }) => (process !== undefined && answer === undefined ? [tool] : [])),
    )
  })
  gateway = await startTestGateway({ plugins: standardPlugins, config: world.config })
  await gateway.call('tasks_create', { repo: 'web', title: 'Sum up', assignedAgent: 'summarizer' })
})
after(async () => {
  await gateway.stop()
  await world[Symbol.asyncDispose]()
})

for (const [tool, body] of Object.entries(CALLS)) {
  test(`the key of ${tool} is reserved before a model or a channel receives a request, and a repetition sends nothing`, async () => {
    reserved = []
    const send = () => gateway.inject({ method: 'POST', url: `/api/tools/${tool}`, headers: { 'idempotency-key': 'once' }, body })
    const first = await send()
    assert.equal(first.status, 200, first.body)
    assert.deepEqual(reserved, [[tool]])
    const again = await send()
    assert.deepEqual([again.headers['idempotency-replayed'], again.json()], ['true', first.json()])
    assert.deepEqual(reserved, [[tool]])
  })
}
