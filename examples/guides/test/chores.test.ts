import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DashboardView } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import chores from '../chores.ts'

test('the page is among those of the dashboard, for who may call what it shows', async () => {
  await using gateway = await startTestGateway({ plugins: [chores] })
  const { pages } = (await gateway.inject({ method: 'GET', url: '/api/dashboard/pages' })).json() as DashboardView
  assert.deepEqual(
    pages.map(({ path, actions, panels }) => [path, actions.map(({ id }) => id), panels.map(({ kind }) => kind)]),
    [['/chores', ['add'], ['table']]],
  )
})
