import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineCollection, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '../src/index.ts'

const notes = defineCollection('notes', { schema: Type.Object({ noteId: Type.String(), text: Type.String() }, closed), key: 'noteId' })
const put = defineTool({
  name: 'note_put',
  description: 'Keep a note.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ noteId: Type.String(), text: Type.Unknown() }, closed),
  output: Type.Object({}),
  uses: { notes },
  async handle({ noteId, text }, { notes }) {
    await notes.insert({ noteId, text: text as string })
    return {}
  },
})
const plugin = definePlugin({ id: 'notes', sdk: '^1.0.0', description: 'Keeps notes.', collections: [notes], tools: [put] })

test('a gateway whose plugin wrote documents against their schema fails to stop, whichever tenant they are of', async () => {
  const gateway = await startTestGateway({ plugins: [plugin], checkDocuments: true })
  await gateway.call('note_put', { noteId: 'a', text: 'well' })
  await gateway.call('note_put', { noteId: 'b', text: 7 }, { as: { tenantId: 'acme' } })
  await assert.rejects(gateway.stop(), { message: 'notes was written against its schema: /text must be string' })
})

test('it stops where all of them keep to it', async () => {
  const gateway = await startTestGateway({ plugins: [plugin], checkDocuments: true })
  await gateway.call('note_put', { noteId: 'a', text: 'well' })
  await gateway.stop()
})
