/** `gateway` with one small plugin, which the tests of the command line run as a separate process or in theirs. */

import { main } from '@gateway/cli'
import {
  backupPart,
  closed,
  contribute,
  defineCollection,
  defineConfig,
  defineError,
  definePlugin,
  defineTool,
  doctorCheck,
  type Plugin,
  Type,
} from '@gateway/sdk'

const Note = Type.Object({ id: Type.String({ minLength: 1 }), text: Type.String() }, closed)
const notes = defineCollection('notes', { schema: Note, key: 'id' })
const config = defineConfig('notes', Type.Object({ most: Type.Integer({ default: 100_000, minimum: 1 }) }, closed))

const TooMany = defineError('TOO_MANY', {
  status: 409,
  description: 'There are as many notes as there may be.',
  details: Type.Object({ most: Type.Integer() }),
  message: ({ most }) => `There are ${most} notes, and no more may be.`,
})

const putNote = defineTool({
  name: 'put_note',
  description: 'Keep a note. Comes back with its id.',
  capability: 'work',
  effect: 'write',
  input: Note,
  output: Type.Object({ id: Type.String() }, closed),
  errors: [TooMany],
  uses: { notes, config },
  async handle(note, { notes, config }) {
    if ((await notes.count()) >= config.most) throw TooMany({ most: config.most })
    await notes.insert(note)
    return { id: note.id }
  },
})

const countNotes = defineTool({
  name: 'count_notes',
  description: 'Count the notes.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer() }, closed),
  uses: { notes },
  handle: async (_, { notes }) => ({ count: await notes.count() }),
})

const hang = defineTool({
  name: 'hang',
  description: 'Never comes back.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({}, closed),
  uses: {},
  handle: () => new Promise<never>(() => {}),
})

const check = contribute(doctorCheck, {
  uses: { config },
  create: ({ config: { most } }) => ({
    name: 'notes',
    async check(scene) {
      const found: string[] = []
      for await (const { tenantId, document } of scene.documents(notes)) found.push(`${tenantId} ${document.id}`)
      return { outcome: 'ok', detail: `${found.join(', ')}; at most ${most}` }
    },
  }),
})

/** Number of plugins whose stop never ends. */
const HANGING = Number(process.env.STOP_HANGS ?? 0)
const stop = (): Promise<void> => (HANGING > 0 ? new Promise((resolve) => void setTimeout(resolve, 600_000)) : Promise.resolve())

export const notesPlugin: Plugin = definePlugin({
  id: 'notes',
  sdk: '^1.0.0',
  description: 'Keeps notes.',
  config,
  collections: [notes],
  tools: [putNote, countNotes],
  contributes: [check, contribute(backupPart, { create: () => ({ name: 'scratch', kept: false }) })],
  stop,
})

const hanging = Array.from({ length: Math.max(0, HANGING - 1) }, (_, n) =>
  definePlugin({ id: `hangs-${n + 2}`, sdk: '^1.0.0', description: 'Does not stop.', stop }),
)

if (process.argv[1] === import.meta.filename) {
  const plugin = process.env.CALLS_HANG === '1' ? { ...notesPlugin, tools: [...notesPlugin.tools, hang] } : notesPlugin
  process.exitCode = await main({ plugins: async () => [plugin, ...hanging], argv: process.argv.slice(2), env: process.env })
}
