import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { taskFigures } from '../src/api.ts'
import { figuresOf } from '../src/services/figures.ts'
import { create, start, update } from './support.ts'

const asking = definePlugin({
  id: 'asking',
  sdk: '^1.0.0',
  description: 'For tests.',
  tools: [
    defineTool({
      name: 'figures_ask',
      description: 'For tests.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}),
      uses: { figures: taskFigures },
      handle: async (_, { figures }) => ({ ...(await figures.byStatus()), stuck: await figures.stuck() }),
    }),
  ],
})

test('other families are told how many tasks there are by status, and which repos have stuck ones', async () => {
  await using gateway = await start({ plugins: [asking] })
  for (const status of ['pending', 'done', 'blocked', 'blocked', 'dead_letter']) {
    const task = await create(gateway, { repo: status === 'dead_letter' ? 'api' : 'web' })
    if (status !== 'pending') await update(gateway, task, { status })
  }
  const { counts, stuck, countsStopAt } = await gateway.call('figures_ask')
  assert.deepEqual(counts, { pending: 1, working: 0, review: 0, done: 1, blocked: 2, paused: 0, dead_letter: 1 })
  assert.equal(countsStopAt, 10_000)
  assert.deepEqual(
    stuck.sort((a: { repo: string }, b: { repo: string }) => (a.repo < b.repo ? -1 : 1)),
    [
      { repo: 'api', stage: 'dead_letter', count: 1 },
      { repo: 'web', stage: 'blocked', count: 2 },
    ],
  )
})

test('too many stuck tasks are not told apart: no query that grows with them is made', async () => {
  const asked: unknown[] = []
  const tasks = { count: async (_: object, options: object) => asked.push(options) && 10_000, group: () => assert.fail() }
  assert.equal(await figuresOf(tasks as unknown as Parameters<typeof figuresOf>[0]).stuck(), undefined)
  assert.deepEqual(asked, [{ max: 10_000 }])
})
