import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, eventRecorder, on } from '@gateway/sdk'
import { BrainQuotaExceeded, brainMerged, brainWriteGate } from '../src/api.ts'
import { commit, files, start } from './support.ts'

test('other plugins hear of a merge once it is made', async () => {
  const heard: object[] = []
  const listener = definePlugin({
    id: 'listener',
    sdk: '^1.0.0',
    description: 'Hears what the brain tells.',
    on: [on(brainMerged, { handle: async (news) => void heard.push(news) })],
  })
  const gateway = await start({ plugins: [listener] })
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  await commit(gateway)
  const merged = await gateway.call('brain_merge')
  const at = new Date(gateway.clock.now()).toISOString()
  await gateway.stop()
  assert.deepEqual(heard, [{ branch: 'session/one', commit: merged.commit, at }])
})

test('a merge is told once: not again after a reindex', async () => {
  const heard: object[] = []
  const recorder = definePlugin({
    id: 'recorder',
    sdk: '^1.0.0',
    description: 'Remembers.',
    contributes: [contribute(eventRecorder, { create: () => ({ record: async (told) => void heard.push(told.payload) }) })],
  })
  await using gateway = await start({ plugins: [recorder] })
  await gateway.call('brain_branch', { slug: 'one', kind: 'session' })
  await commit(gateway)
  const merged = await gateway.call('brain_merge')
  await gateway.call('brain.reindex')
  await commit(gateway, { slug: 'two' })
  assert.deepEqual(
    heard.map((news) => (news as { commit: string }).commit),
    [merged.commit],
  )
})

test('a write gate refuses before anything is written, whoever writes', async () => {
  const asked: object[] = []
  const quota = definePlugin({
    id: 'quota',
    sdk: '^1.0.0',
    description: 'Lets small writes through.',
    contributes: [
      contribute(brainWriteGate, {
        create: () => ({
          async check(write) {
            asked.push(write)
            if (write.bytes > 2_000) throw BrainQuotaExceeded({ bytes: write.bytes, usedBytes: 0, capBytes: 2_000 })
          },
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [quota] })
  await commit(gateway)
  const large = 'x'.repeat(3_000)
  await assert.rejects(commit(gateway, { slug: 'large', content: large }), { code: 'BRAIN_QUOTA_EXCEEDED' })
  await assert.rejects(gateway.call('brain_stash', { slug: 'large', content: large }), { code: 'BRAIN_QUOTA_EXCEEDED' })
  assert.equal(files(gateway).length, 1)
  assert.ok(asked.every((write) => (write as { tenantId: string }).tenantId === 'local'))
})
