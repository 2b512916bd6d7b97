import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { callKeys } from '@gateway/storage'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { DatabaseSync } from '@photostructure/sqlite'
import { outside } from '../stories/support.ts'

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
    const database = new DatabaseSync(join(gateway.dataDir, 'store', 'gateway.db'), { readOnly: true })
    const rows = database.prepare(`SELECT doc FROM "${callKeys.id}"`).all() as { readonly doc: string }[]
    database.close()
    const records = rows.map(({ doc }) => JSON.parse(doc) as { tool: string; process?: string; answer?: string })
    reserved.push(records.flatMap(({ tool, process, answer }) => (process !== undefined && answer === undefined ? [tool] : [])))
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
