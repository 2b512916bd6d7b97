import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retentionRuns } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { standardPlugins } from '../src/index.ts'

test('data_retention_purge runs every retention of every family', async () => {
  const families = standardPlugins
    .map(({ id, jobs, contributes }) => ({
      id,
      retentions: jobs.filter((job) => /[.-]retention$/.test(job.id)).length,
      byHand: contributes.filter(({ to }) => to.id === retentionRuns.id).length,
    }))
    .filter(({ retentions }) => retentions > 0)
  assert.ok(families.length > 10)
  for (const { id, retentions, byHand } of families) assert.equal(byHand, retentions, id)
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  await gateway.call('tasks_create', { repo: 'web', title: 'x' })
  const { removed, failed } = await gateway.call('data_retention_purge', {})
  assert.deepEqual([Object.keys(removed).sort(), failed], [families.map(({ id }) => id).sort(), []])
})
