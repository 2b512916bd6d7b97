import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { closed, defineTool, Type } from '@gateway/sdk'
import { holdAgainstSnapshot } from '@gateway/testing'

const tool = defineTool({
  name: 'x_get',
  description: 'Read one x by its id. Returns the x.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/x/:id',
  input: Type.Object({ id: Type.String() }, closed),
  output: Type.Object({}),
  handle: async () => ({}),
})

let folder: string
const update = process.env.UPDATE_SNAPSHOTS
beforeEach(async () => {
  delete process.env.UPDATE_SNAPSHOTS
  folder = join(await mkdtemp(join(tmpdir(), 'snapshots-')), '__snapshots__')
})
afterEach(async () => {
  if (update !== undefined) process.env.UPDATE_SNAPSHOTS = update
  await rm(folder, { recursive: true, force: true })
})

async function write(): Promise<void> {
  process.env.UPDATE_SNAPSHOTS = '1'
  await holdAgainstSnapshot(tool, folder)
  delete process.env.UPDATE_SNAPSHOTS
}

test('a missing snapshot fails and says how to write it', async () => {
  await assert.rejects(holdAgainstSnapshot(tool, folder), /x_get has no snapshot; write it with UPDATE_SNAPSHOTS=1 npm test/)
  await assert.rejects(readdir(folder), { code: 'ENOENT' }, 'nothing is written unasked')
})

test('a snapshot holds what an agent sees, in a file a person reads', async () => {
  await write()
  const text = await readFile(join(folder, 'x_get.json'), 'utf8')
  assert.deepEqual(JSON.parse(text), {
    name: 'x_get',
    description: 'Read one x by its id. Returns the x.',
    capability: 'read',
    effect: 'read',
    idempotent: true,
    openWorld: false,
    rest: 'GET /api/x/:id',
    status: 200,
    inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } }, additionalProperties: false },
  })
  assert.match(text, /\n {2}"name": "x_get",\n/)
  await holdAgainstSnapshot(tool, folder)
})

test('each visible change of a tool fails until its snapshot is written anew', async () => {
  await write()
  const input = Type.Object({ id: Type.String(), more: Type.Optional(Type.Boolean()) }, closed)
  for (const change of [
    { description: 'Read an x.' },
    { listing: 'core' as const },
    { capability: 'work' as const },
    { rest: 'GET /api/y/:id' },
    { input },
  ]) {
    await assert.rejects(
      holdAgainstSnapshot({ ...tool, ...change }, folder),
      /x_get differs from .*x_get\.json; if that is intended, update it/,
    )
  }
})
