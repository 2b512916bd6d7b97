import assert from 'node:assert/strict'
import { test } from 'node:test'
import repos from '@gateway/plugin-repos'
import { startTestGateway } from '@gateway/testing'
import state from '../src/index.ts'

const DAY = 86_400

test('handoff entries are removed after a year, except the newest of each repo, and the count follows', async () => {
  await using gateway = await startTestGateway({ plugins: [repos, state], config: { state: { handoffsKept: 2 } } })
  const as = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const
  const write = async (content: string) => (await gateway.call('handoff_write', { repo: 'web', content }, as)).entries
  for (const content of ['1', '2', '3', '4']) await write(content)
  await gateway.runJob('state.handoff-retention')
  assert.equal(await write('5'), 5)
  gateway.clock.advance(366 * DAY)
  await gateway.runJob('state.handoff-retention')
  const { latest, total } = await gateway.call('handoff_read', { repo: 'web' }, as)
  assert.deepEqual([latest.content, total], ['5', 2])
  assert.equal(await write('6'), 3)
})
