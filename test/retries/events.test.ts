import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { BadRequest, closed, defineCollection, defineEvent, definePlugin, defineTool, on, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { requestWithKey } from './keyed-transports.ts'

const notes = defineCollection('notes', { schema: Type.Object({ noteId: Type.String() }), key: 'noteId' })
const noted = defineEvent('notes.noted', Type.Object({ noteId: Type.String() }, closed))

/** Events that the listener received, each with true if its note was stored then. */
const heard: [noteId: string, isStored: boolean][] = []

const plugin = definePlugin({
  id: 'notes',
  sdk: '^1.0.0',
  description: 'Notes that are announced.',
  collections: [notes],
  events: [noted],
  tools: [
    defineTool({
      name: 'notes_add',
      description: 'Add a note and announce it. "refused" is refused afterwards, "waiting" waits for something outside.',
      capability: 'work',
      effect: 'write',
      rest: 'POST /api/notes',
      input: Type.Object({ noteId: Type.String() }, closed),
      output: Type.Object({}, closed),
      uses: { notes, noted },
      async handle({ noteId }, { notes, noted }) {
        await notes.insert({ noteId })
        noted.emit({ noteId })
        if (noteId === 'waiting') for (let i = 0; i < 20; i++) await turn()
        else for (let i = 0; i < 20; i++) await notes.get(noteId)
        if (noteId === 'refused') throw BadRequest({ field: 'noteId', message: '`noteId` must not be refused.' })
        return {}
      },
    }),
  ],
  on: [
    on(noted, {
      uses: { notes },
      handle: async ({ noteId }, { notes }) => void heard.push([noteId, (await notes.get(noteId)) !== undefined]),
    }),
  ],
})

async function add(gateway: TestGateway, noteId: string): Promise<number> {
  heard.length = 0
  const { ok } = await requestWithKey(gateway, { method: 'POST', url: '/api/notes', body: { noteId } }, `key-${noteId}`)
  for (let i = 0; i < 50; i++) await turn()
  return ok ? 1 : 0
}

test('an event of a call with an idempotency key is emitted once its change is committed, and never for one that is undone', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  for (const noteId of ['plain', 'waiting']) {
    assert.equal(await add(gateway, noteId), 1)
    assert.deepEqual(heard, [[noteId, true]])
  }
  assert.equal(await add(gateway, 'refused'), 0)
  assert.deepEqual(heard, [])
})
