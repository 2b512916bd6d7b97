import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { contribute, definePlugin, eventRecorder } from '@gateway/sdk'
import { commit, gitIn, start, type TestGateway } from '../../plugins/brain/test/support.ts'
import { database, skip } from './nodes.ts'

const MERGES = 8

test(`a merge that is pushed while two gateways index the same brain is reported once${skip ? ` (${skip})` : ''}`, {
  skip: skip !== false,
  timeout: 300_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-brain-merges-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [brains, clone] = [join(folder, 'brains'), join(folder, 'clone')]
  const heard: string[] = []
  const recorder = definePlugin({
    id: 'recorder',
    sdk: '^1.0.0',
    description: 'Remembers the merges of both gateways.',
    contributes: [
      contribute(eventRecorder, {
        create: () => ({ record: async ({ payload }) => void heard.push((payload as { commit: string }).commit) }),
      }),
    ],
  })
  const env = { MONGODB_URL: database(), GATEWAY_HASH_KEY: '5a'.repeat(32) }
  const begin = (): Promise<TestGateway> => start({ plugins: [recorder], config: { git: { brains } }, env })
  await using here = await begin()
  await using there = await begin()
  await commit(here)
  const read = (gateway: TestGateway) => gateway.call('brain_search', { query: 'work' })
  await Promise.all([read(here), read(there)])
  gitIn(folder, 'clone', '--quiet', join(brains, 'local.git'), clone)
  let isOver = false
  const reading = [here, there].map(async (gateway) => {
    while (!isOver) await read(gateway)
  })
  const pushed: string[] = []
  for (let n = 0; n < MERGES; n++) {
    gitIn(clone, 'checkout', '--quiet', '-b', `idea/${n}`)
    gitIn(clone, 'commit', '--quiet', '--allow-empty', '-m', `Idea ${n}`)
    gitIn(clone, 'checkout', '--quiet', 'main')
    gitIn(clone, 'merge', '--quiet', '--no-ff', '--no-edit', `idea/${n}`)
    gitIn(clone, 'push', '--quiet', 'origin', 'main')
    pushed.push(gitIn(clone, 'rev-parse', 'HEAD').trim())
    await Promise.race([read(here), read(there)])
  }
  isOver = true
  await Promise.all(reading)
  await Promise.all([read(here), read(there)])
  assert.deepEqual(heard.toSorted(), pushed.toSorted())
})
