import { pageArguments, rowLimit } from '@gateway/sdk'

interface Names {
  readonly id: string
  /** Prefix of the names of its tools. */
  readonly tool: string
  /** Range of the SDK. */
  readonly sdk: string
}

export const scaffoldSources = (names: Names): readonly (readonly [string, string])[] => [
  ['src/index.ts', index(names)],
  ['src/config.ts', config(names)],
  ['src/schema.ts', SCHEMA],
  ['src/collections.ts', collections(names)],
  [`src/tools/${names.id}-add.ts`, add(names)],
  [`src/tools/${names.id}-list.ts`, list(names)],
  [`src/commands/${names.id}-list.ts`, listCommand(names)],
  [`src/pages/${names.id}.ts`, page(names)],
  ['src/jobs/tidy.ts', tidy(names)],
  ['test/plugin.test.ts', tests(names)],
  [`test/__snapshots__/${names.tool}_add.json`, `${JSON.stringify(addSnapshot(names), null, 2)}\n`],
  [`test/__snapshots__/${names.tool}_list.json`, `${JSON.stringify(listSnapshot(names), null, 2)}\n`],
]

const index = ({ id, sdk }: Names): string => `import { defineCommand, definePlugin } from '@gateway/sdk'
import { notes } from './collections.ts'
import { config } from './config.ts'
import { tidy } from './jobs/tidy.ts'
import { page } from './pages/${id}.ts'
import { add } from './tools/${id}-add.ts'
import { list } from './tools/${id}-list.ts'

export default definePlugin({
  id: '${id}',
  sdk: '${sdk}',
  description: 'Keeps notes for a while.',
  config,
  collections: [notes],
  tools: [add, list],
  pages: [page],
  jobs: [tidy],
  commands: [defineCommand('${id}-list', { summary: 'List the notes.', load: () => import('./commands/${id}-list.ts') })],
})
`

const config = ({ id }: Names): string => `import { closed, defineConfig, Type } from '@gateway/sdk'

/** Settings: the object beside this plugin's name in gateway.config.json. */
export const config = defineConfig(
  '${id}',
  Type.Object({ keepDays: Type.Integer({ default: 30, minimum: 1, description: 'Days a note is kept.' }) }, closed),
)
`

const SCHEMA = `import { closed, Type } from '@gateway/sdk'

export const Note = Type.Object({ id: Type.String(), text: Type.String(), createdAt: Type.String() }, closed)
`

const collections = ({ id }: Names): string => `import { defineCollection } from '@gateway/sdk'
import { Note } from './schema.ts'

/** Each tenant has its own; what is filtered or sorted often has an index. */
export const notes = defineCollection('${id}.notes', { schema: Note, key: 'id', indexes: [{ keys: { createdAt: -1 } }] })
`

const add = ({ tool, id }: Names): string => `import { closed, defineTool, Type } from '@gateway/sdk'
import { notes } from '../collections.ts'
import { Note } from '../schema.ts'

export const add = defineTool({
  name: '${tool}_add',
  description: 'Keep a note. Returns the note with its id.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/${id}',
  status: 201,
  input: Type.Object({ text: Type.String({ minLength: 1, maxLength: 10_000, description: 'Text of the note.' }) }, closed),
  output: Type.Object({ note: Note }),
  uses: { notes },
  async handle({ text }, { notes }, ctx) {
    const note = await notes.insert({ id: ctx.newId('note-'), text, createdAt: ctx.now().toISOString() })
    return { note }
  },
})
`

const list = ({
  tool,
  id,
}: Names): string => `import { closed, defined, defineTool, nextCursor, pageArguments, rowLimit, Type } from '@gateway/sdk'
import { notes } from '../collections.ts'
import { Note } from '../schema.ts'

const ROWS = rowLimit(20, 100)

export const list = defineTool({
  name: '${tool}_list',
  description: 'List the notes, the newest first, with a cursor when there are more.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/${id}',
  input: Type.Object(pageArguments(ROWS), closed),
  output: Type.Object({ notes: Type.Array(Note), nextCursor }, closed),
  uses: { notes },
  async handle({ limit, cursor }, { notes }) {
    const { items, nextCursor } = await notes.find({ sort: { createdAt: -1 }, limit: ROWS.of(limit), ...defined({ cursor }) })
    return { notes: [...items], ...defined({ nextCursor }) }
  },
})
`

const listCommand = ({ tool }: Names): string => `import { commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'

interface Answer {
  readonly notes: readonly { readonly text: string; readonly createdAt: string }[]
}

/** A client of the running service, in a process of its own: this module is not loaded by the service. */
export default commandHandler({
  options: { ...urlOption, ...jsonOption },
  async run({ values, output, connect }) {
    const answer = (await connect().call('${tool}_list')) as Answer
    if (values.json) output.json(answer)
    else output.table(answer.notes.map(({ createdAt, text }) => [createdAt, text]))
    return EXIT.ok
  },
})
`

const page = ({ id }: Names): string => `import { definePage, Panel } from '@gateway/sdk'
import { add } from '../tools/${id}-add.ts'
import { list } from '../tools/${id}-list.ts'

/** Shown by the dashboard to callers who may call the tool. */
export const page = definePage({
  path: '/${id}',
  title: 'Notes',
  icon: 'file-text',
  group: 'work',
  actions: [{ id: 'add', label: 'Keep a note', tone: 'primary', tool: add, form: ['text'] }],
  panels: [
    Panel.table({
      id: 'notes',
      title: 'Notes',
      from: list,
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/notes',
      key: '/id',
      columns: { Note: '/text', Kept: { value: '/createdAt', format: 'time' } },
      empty: { text: 'No note was kept yet.', action: 'add' },
    }),
  ],
})
`

const tidy = ({ id }: Names): string => `import { daysAgo, defineRetention } from '@gateway/sdk'
import { notes } from '../collections.ts'
import { config } from '../config.ts'

/** Runs once a day in each tenant that is not under legal hold, on one of the gateways that share a store. */
export const tidy = defineRetention('${id}.tidy', {
  collection: notes,
  config,
  past: ({ keepDays }) => ({ where: { createdAt: { lt: daysAgo(keepDays) } }, sort: { createdAt: 1 } }),
})
`

const tests = ({ tool, id }: Names): string => `import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pluginSuite, startTestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'

// What every plugin keeps to. Tests run in dist/test; the snapshots stay beside the sources.
pluginSuite(plugin, { folder: join(import.meta.dirname, '../../test') })

test('a note is kept, over a restart, for its tenant alone', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const { note } = await gateway.call('${tool}_add', { text: 'Buy milk' })
  await gateway.restart()
  assert.deepEqual(await gateway.call('${tool}_list'), { notes: [note] })
  assert.deepEqual(await gateway.call('${tool}_list', {}, { as: { tenantId: 'acme' } }), { notes: [] })
})

test('REST has the same notes', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  assert.equal((await gateway.inject({ method: 'POST', url: '/api/${id}', body: { text: 'Buy milk' } })).status, 201)
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/${id}' })).json().notes.length, 1)
})

test('a note that is empty is refused, and nothing is kept', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  await assert.rejects(gateway.call('${tool}_add', { text: '' }), { code: 'BAD_REQUEST' })
  assert.deepEqual(await gateway.call('${tool}_list'), { notes: [] })
})

test('old notes go by themselves', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin], config: { '${id}': { keepDays: 1 } } })
  await gateway.call('${tool}_add', { text: 'Old' })
  gateway.clock.advance(2 * 86_400)
  await gateway.call('${tool}_add', { text: 'New' })
  await gateway.runJob('${id}.tidy')
  const { notes } = await gateway.call('${tool}_list')
  assert.deepEqual(notes.map(({ text }: { text: string }) => text), ['New'])
})
`

const addSnapshot = ({ tool, id }: Names): object => ({
  name: `${tool}_add`,
  description: 'Keep a note. Returns the note with its id.',
  capability: 'work',
  effect: 'write',
  idempotent: false,
  openWorld: false,
  rest: `POST /api/${id}`,
  status: 201,
  inputSchema: {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', minLength: 1, maxLength: 10_000, description: 'Text of the note.' } },
    additionalProperties: false,
  },
})

const listSnapshot = ({ tool, id }: Names): object => ({
  name: `${tool}_list`,
  description: 'List the notes, the newest first, with a cursor when there are more.',
  capability: 'read',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  rest: `GET /api/${id}`,
  status: 200,
  inputSchema: {
    type: 'object',
    // The scaffolded tool takes them from the same SDK.
    properties: pageArguments(rowLimit(20, 100)),
    additionalProperties: false,
  },
})
