import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import dashboard from '../src/index.ts'

const view = { name: 'Stuck', page: '/tasks', query: 'status=blocked&queue.order=-Created' }

test('a saved view is listed for its owner alone, replaced under the same name, and deleted', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard] })
  const as = (id: string) => ({ as: { id } })
  const { view: first } = await gateway.call('dashboard.save-view', view, as('ada'))
  await gateway.call('dashboard.save-view', { ...view, query: 'status=paused' }, as('ada'))
  await gateway.call('dashboard.save-view', { ...view, name: 'Another' }, as('ada'))
  const listed = async (id: string) => (await gateway.call('dashboard.views', {}, as(id))).views
  assert.deepEqual(
    (await listed('ada')).map(({ name, query }: typeof view) => [name, query]),
    [
      ['Another', view.query],
      ['Stuck', 'status=paused'],
    ],
  )
  assert.deepEqual(await listed('bob'), [])
  assert.equal((await listed('ada'))[1].viewId, first.viewId)
  await assert.rejects(gateway.call('dashboard.delete-view', { viewId: first.viewId }, as('bob')), { code: 'NOT_FOUND' })
  const { view: gone } = await gateway.call('dashboard.delete-view', { viewId: first.viewId }, as('ada'))
  assert.deepEqual([gone.name, (await listed('ada')).length], ['Stuck', 1])
})

test('a caller keeps a hundred views, and is told which field is refused', async () => {
  await using gateway = await startTestGateway({ plugins: [dashboard] })
  for (let index = 0; index < 100; index++) await gateway.call('dashboard.save-view', { ...view, name: `View ${index}` })
  const refused = async (over: object, field: string) =>
    assert.rejects(gateway.call('dashboard.save-view', { ...view, ...over }), (error: { code: string; details: { field: string } }) => {
      assert.deepEqual([error.code, error.details.field.replace('/', '')], ['BAD_REQUEST', field])
      return true
    })
  await refused({ name: 'One more' }, 'name')
  await gateway.call('dashboard.save-view', { ...view, name: 'View 7', query: 'repo=a' })
  await refused({ page: 'https://elsewhere.example/' }, 'page')
  await refused({ page: '//elsewhere.example' }, 'page')
  await refused({ query: 'x'.repeat(2_001) }, 'query')
  assert.equal((await gateway.call('dashboard.views', {})).views.length, 100)
})
