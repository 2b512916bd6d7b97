import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: standardPlugins, listen: true })
})
after(() => gateway.stop())

async function send(path: string, body: object, key: string, signal?: AbortSignal): Promise<{ code?: string; task?: { title: string } }> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const init = { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) }
  return (await (await fetch(gateway.url + path, init)).json()) as { code?: string; task?: { title: string } }
}

for (const [path, args] of [
  ['/api/tools/tasks_claim', {}],
  ['/api/tasks/claim-for-runner', {}],
  ['/api/tools/work_next', {}],
  ['/api/tools/work_next', { mailTo: 'ada' }],
] as const)
  test(`a worker that is disconnected while ${path} waits repeats it with its key, and gets the next task: ${JSON.stringify(args)}`, async () => {
    const repo = `repo-${path.length}-${Object.keys(args).length}`
    const wanted = { claimedBy: 'ada', repo, ...args }
    const client = new AbortController()
    const first = assert.rejects(send(path, { ...wanted, waitSeconds: 20 }, repo, client.signal))
    await pause(200)
    client.abort()
    await first
    await gateway.call('tasks_create', { repo, title: 'next' })
    for (;;) {
      const { code, task } = await send(path, { ...wanted, waitSeconds: 20 }, repo)
      if (code === 'IDEMPOTENCY_IN_PROGRESS') await pause(20)
      else {
        assert.deepEqual([code, task?.title], [undefined, 'next'])
        return
      }
    }
  })
