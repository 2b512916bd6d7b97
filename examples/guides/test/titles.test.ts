import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import titles from '../titles.ts'
import { fakeModels } from './fake-models.ts'

test('a title is what the model answers, without the white space around it', async () => {
  const { asked, plugin } = fakeModels(' A Day in May\n')
  await using gateway = await startTestGateway({ plugins: [titles, plugin] })
  assert.deepEqual(await gateway.call('title_suggest', { text: 'It was a day in May.' }), { title: 'A Day in May' })
  assert.deepEqual(asked[0]?.messages, [{ role: 'user', content: 'It was a day in May.' }])
})

test('it does not run without models', async () => {
  await assert.rejects(startTestGateway({ plugins: [titles] }), /no running plugin provides the service providers\.models/)
})
