import { setTimeout } from 'node:timers/promises'
import {
  atomically,
  type CallRecord,
  callObserver,
  closed,
  contribute,
  defineCollection,
  defineConfig,
  defineContribution,
  defineError,
  defineEvent,
  defineJob,
  definePlugin,
  definePrompt,
  defineResource,
  defineService,
  defineTool,
  NotFound,
  on,
  optional,
  provide,
  provideProcess,
  Type,
} from '@gateway/sdk'

/** A plugin with one of everything, to exercise the call path. */

const Nothing = Type.Object({}, closed)
const Anything = Type.Object({})
const Note = Type.Object({ id: Type.String(), text: Type.String() }, closed)

export const heardNotes: string[] = []
export const observedCalls: CallRecord[] = []

const notes = defineCollection('notes', { schema: Note, key: 'id' })
const TooLate = defineError('TOO_LATE', { status: 409, description: 'Too late.', details: Anything, message: () => 'too late' })
const settings = defineConfig('sample', Type.Object({ word: Type.String({ default: 'hello', env: 'SAMPLE_WORD' }) }, closed))
const heard = defineEvent('sample.heard', Type.Object({ id: Type.String() }))
const greeter = defineService<{ readonly made: number; greet(): string }>('sample.greeter')
const counter = defineService<{ next(): number }>('sample.counter', 'process')
const absent = defineService<object>('sample.absent')
const gate = defineContribution<{ name: string }>('sample.gate')
const sweep = defineJob('sample.sweep', { everySeconds: 60, uses: { notes }, run: async ({ notes }) => ({ notes: await notes.count() }) })

const read = { description: 'A sample.', capability: 'read', effect: 'read', input: Nothing, output: Anything } as const
const write = { ...read, capability: 'work', effect: 'write' } as const

export const sample = definePlugin({
  id: 'sample',
  sdk: '^1.0.0',
  description: 'Exercises the one path.',
  config: settings,
  collections: [notes],
  events: [heard],
  jobs: [sweep],
  provides: [
    provideProcess(counter, {
      create: () => {
        let n = 0
        return { next: () => ++n }
      },
    }),
    provide(greeter, {
      uses: { counter, settings },
      create: ({ counter, settings }, ctx) => ({ made: counter.next(), greet: () => `${settings.word} ${ctx.tenantId}` }),
    }),
  ],
  contributes: [
    contribute(gate, { create: (_uses, ctx) => ({ name: `gate of ${ctx.tenantId}` }) }),
    contribute(callObserver, { create: () => ({ observe: (call) => void observedCalls.push(call) }) }),
  ],
  on: [
    on(heard, {
      uses: { notes },
      handle: async ({ id }, { notes }, ctx) => {
        heardNotes.push(`${ctx.tenantId} ${ctx.principal.kind} ${(await notes.get(id))?.text}`)
      },
    }),
    on(heard, {
      handle: async () => {
        throw new Error('a bad listener')
      },
    }),
  ],
  resources: [
    defineResource({
      uri: 'note://{id}',
      name: 'note',
      description: 'One note.',
      mimeType: 'text/plain',
      uses: { notes },
      read: async ({ id = '' }, { notes }) => {
        const note = await notes.get(id)
        if (!note) throw NotFound({ what: 'note', id })
        return [{ uri: `note://${id}`, mimeType: 'text/plain', text: note.text }]
      },
    }),
  ],
  prompts: [
    definePrompt({
      name: 'summarise',
      description: 'Summarise one note.',
      arguments: [{ name: 'id', description: 'The note.', required: true }],
      render: async ({ id }) => [{ role: 'user', text: `Summarise ${id}` }],
    }),
  ],
  tools: [
    defineTool({
      ...write,
      name: 'put_note',
      input: Note,
      uses: { notes, heard },
      handle: async (note, { notes, heard }, ctx) => {
        await notes.insert(note)
        ctx.audit('note.put', { id: note.id })
        heard.emit({ id: note.id })
        return { id: note.id }
      },
    }),
    defineTool({ ...read, name: 'count_notes', uses: { notes }, handle: async (_, { notes }) => ({ count: await notes.count() }) }),
    defineTool({
      ...read,
      name: 'greet',
      uses: { one: greeter, two: greeter, gate, absent: optional(absent) },
      handle: async (_, { one, two, gate, absent }) => ({
        text: one.greet(),
        shared: one.made === two.made,
        made: one.made,
        gate,
        absent: absent === undefined,
      }),
    }),
    defineTool({
      ...write,
      name: 'fail_declared',
      errors: [TooLate],
      handle: async () => {
        throw TooLate({})
      },
    }),
    defineTool({
      ...read,
      name: 'fail_undeclared',
      handle: async () => {
        throw TooLate({})
      },
    }),
    defineTool({
      ...read,
      name: 'fail_bug',
      handle: async () => {
        throw new TypeError('secret detail')
      },
    }),
    defineTool({
      ...write,
      name: 'sleep',
      handle: async (_, __, { signal }) => {
        await setTimeout(60_000, undefined, { signal })
        return {}
      },
    }),
    defineTool({
      ...write,
      name: 'half_done',
      errors: [TooLate],
      uses: { notes, atomically },
      handle: async (_, { notes, atomically }) =>
        atomically(async (tx) => {
          await notes.in(tx).insert({ id: 'half', text: 'x' })
          throw TooLate({})
        }),
    }),
    defineTool({ ...read, name: 'run_sweep', uses: { sweep }, handle: async (_, { sweep }) => ({ runs: await sweep.run() }) }),
    defineTool({
      ...read,
      name: 'lies',
      output: Type.Object({ count: Type.Integer() }),
      handle: async () => ({ count: 'many' as unknown as number }),
    }),
    defineTool({
      ...read,
      name: 'needs_more',
      handle: async (_, __, ctx) => {
        ctx.require('configure')
        return {}
      },
    }),
    defineTool({ ...read, name: 'operate', capability: 'operator', handle: async () => ({}) }),
  ],
})
