import { setTimeout as after } from 'node:timers/promises'
import {
  atomically,
  closed,
  defineCollection,
  definePlugin,
  defineTool,
  NotFound,
  Type,
  Unavailable,
  withIdempotencyKey,
} from '@gateway/sdk'

const notes = defineCollection('notes', { schema: Type.Object({ noteId: Type.String(), text: Type.String() }), key: 'noteId' })
const base = { capability: 'work', effect: 'write', output: Type.Object({}, { additionalProperties: true }) } as const
const input = Type.Object({ text: Type.String({ maxLength: 100_000 }) }, closed)

/** Runs of the handlers, and what the one of `notes_wait` waits for. */
export const seen = { runs: 0, waiting: Promise.resolve() as Promise<unknown> }

/** Tools that write in different ways. */
export const notesPlugin = definePlugin({
  id: 'notes',
  sdk: '^1.0.0',
  description: 'Notes, written in different ways.',
  collections: [notes],
  tools: [
    defineTool({
      ...base,
      name: 'notes_add',
      description: 'Add a note in one write. Returns {note}.',
      input: withIdempotencyKey(input),
      uses: { notes },
      handle: async (args, { notes }, ctx) => ({ note: await notes.insert({ noteId: ctx.newId('note-'), text: args.text }) }),
    }),
    defineTool({
      ...base,
      name: 'notes_twice',
      description: 'Add a note twice, in two commits; "fault" fails in between, "refuse" at the end.',
      input,
      uses: { notes, atomically },
      async handle({ text }, { notes, atomically }, ctx) {
        seen.runs++
        const first = await notes.insert({ noteId: ctx.newId('note-'), text })
        if (text === 'fault') throw new Error('a fault')
        await atomically(async (tx) => notes.in(tx).insert({ noteId: ctx.newId('note-'), text }))
        if (text === 'refuse') throw NotFound({ what: 'note', id: first.noteId })
        return { found: (await notes.get(first.noteId)) !== undefined, count: await notes.count({ text }) }
      },
    }),
    defineTool({
      ...base,
      name: 'notes_wait',
      description: 'Add a note, wait for something outside, add another one.',
      input,
      uses: { notes },
      async handle({ text }, { notes }, ctx) {
        seen.runs++
        await notes.insert({ noteId: ctx.newId('note-'), text })
        await seen.waiting
        await after(1)
        await notes.insert({ noteId: ctx.newId('note-'), text })
        return { count: await notes.count({ text }) }
      },
    }),
    defineTool({
      ...base,
      name: 'notes_send',
      description: 'Has an effect outside.',
      openWorld: true,
      input,
      async handle() {
        seen.runs++
        await seen.waiting
        return { sent: seen.runs }
      },
    }),
    defineTool({
      ...base,
      name: 'notes_key',
      description: 'Makes a secret.',
      input,
      handle: async ({ text }) => ({ keyId: 'k1', apiKey: 'gw_live_very-secret', text }),
    }),
    defineTool({
      ...base,
      name: 'notes_invite',
      description: 'Makes secrets that no name tells.',
      input,
      output: Type.Object({
        code: Type.String({ secret: true }),
        links: Type.Array(Type.Object({ path: Type.String({ secret: true }), at: Type.String() })),
        owner: Type.Union([Type.Null(), Type.Record(Type.String(), Type.String({ secret: true }))]),
        text: Type.String(),
      }),
      handle: async ({ text }) => ({
        code: 'gift-very-secret',
        links: [{ path: '/#very-secret', at: 'now' }],
        owner: { [text]: 'very-secret' },
        text,
      }),
    }),
    defineTool({
      ...base,
      name: 'notes_take',
      description:
        'Takes a note away; its text is kept elsewhere, unless it begins with "lost", and not to be had if it begins with "away".',
      input,
      async handle({ text }) {
        seen.runs++
        return { noteId: text.slice(0, 4), text, apiKey: 'gw_live_very-secret' }
      },
      async completeReplay(kept) {
        const { text } = kept as unknown as { text: string }
        if (text.startsWith('away')) throw Unavailable({ message: 'Not now.' })
        return text.startsWith('lost') ? undefined : { ...kept, text: text.slice(0, 1).repeat(50_000) }
      },
    }),
  ],
})
