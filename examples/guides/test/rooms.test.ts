import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { closed, defineCollection, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import rooms from '../rooms.ts'

const Room = Type.Object({ name: Type.String(), seats: Type.Integer() }, closed)
const oldRooms = defineCollection('rooms', { schema: Room, key: 'name' })
const versionOne = definePlugin({
  id: 'rooms',
  sdk: '^1.0.0',
  description: 'Version 1.',
  collections: [oldRooms],
  tools: [
    defineTool({
      name: 'room_put',
      description: 'Keep a room. Returns it.',
      capability: 'work',
      effect: 'write',
      input: Room,
      output: Type.Object({ room: Room }),
      uses: { oldRooms },
      handle: async (room, { oldRooms }) => ({ room: await oldRooms.insert(room) }),
    }),
  ],
})

test('documents of an older schema are read at once, and filled by the job once', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-rooms-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const before = await startTestGateway({ plugins: [versionOne], dataDir })
  await before.call('room_put', { name: 'attic', seats: 4 })
  await before.call('room_put', { name: 'hall', seats: 80 })
  await before.stop()

  await using gateway = await startTestGateway({ plugins: [rooms], dataDir })
  const sizes = async () => (await gateway.call('room_list')).rooms.map(({ size }: { size: string }) => size)
  const stored = async () => (await gateway.documents()).rooms?.map((room) => (room as { size?: string }).size)
  assert.deepEqual(
    [await sizes(), await stored()],
    [
      ['small', 'large'],
      [undefined, undefined],
    ],
  )
  await gateway.runJob('rooms.fill-sizes')
  assert.deepEqual(
    [await sizes(), await stored()],
    [
      ['small', 'large'],
      ['small', 'large'],
    ],
  )
})
