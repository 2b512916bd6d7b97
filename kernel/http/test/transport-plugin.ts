import {
  BadRequest,
  bootSection,
  Conflict,
  closed,
  contribute,
  defineError,
  defineEvent,
  definePlugin,
  definePrompt,
  defineResource,
  defineRoute,
  defineTool,
  type HealthProbe,
  healthProbe,
  NotFound,
  type Plugin,
  statusFacts,
  Type,
} from '@gateway/sdk'

/** A plugin with every shape of tool that the transports must carry, and switches for its tests. */
export interface TransportFixture {
  readonly plugin: Plugin
  /** Running calls of `transport_wait`. */
  readonly waiting: Set<AbortSignal>
  /** Ends every running `transport_wait`. */
  release(): void
  /** Resolves when `transport_wait` runs at least this many times. */
  arrived(count: number): Promise<void>
  /** Resolves when no `transport_wait` runs. */
  gone(): Promise<void>
  probe: HealthProbe['check']
  facts: () => Promise<Record<string, unknown>>
  section: () => Promise<string>
}

const TooMany = defineError('FACE_TOO_MANY', {
  status: 429,
  description: 'More than three were asked for; ask for fewer.',
  details: Type.Object({ asked: Type.Integer() }),
  message: ({ asked }) => `At most three, ${asked} were asked for.`,
})
const Note = Type.Object({ id: Type.String(), text: Type.String(), tags: Type.Array(Type.String()) })
const unheard = defineEvent('transport.unheard', Type.Object({}))

export function transportFixture(): TransportFixture {
  const fixture: TransportFixture = {
    plugin: undefined as never,
    waiting: new Set(),
    release: () => wake('release'),
    async arrived(count) {
      while (fixture.waiting.size < count) await change()
    },
    async gone() {
      while (fixture.waiting.size > 0) await change()
    },
    probe: async () => ({ status: 'healthy' }),
    facts: async () => ({}),
    section: async () => 'Be kind.',
  }
  const listeners = new Set<(why: string) => void>()
  const wake = (why: string): void => {
    const woken = [...listeners]
    listeners.clear()
    for (const listener of woken) listener(why)
  }
  const change = (): Promise<void> => new Promise((resolve) => listeners.add(() => resolve()))
  const notes = new Map<string, { id: string; text: string; tags: string[] }>()

  const echo = defineTool({
    name: 'transport_echo',
    description: 'Give back the arguments. Nothing else happens.',
    capability: 'read',
    effect: 'read',
    rest: 'GET /api/transport/echo/:id',
    input: Type.Object(
      {
        id: Type.String({ minLength: 1 }),
        count: Type.Optional(Type.Integer({ minimum: 0, default: 1, description: 'How <many>.' })),
        ratio: Type.Optional(Type.Number()),
        flag: Type.Optional(Type.Boolean()),
        tags: Type.Optional(Type.Array(Type.String())),
        numbers: Type.Optional(Type.Array(Type.Integer())),
        to: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
        kind: Type.Optional(Type.Enum(['a', 'b'])),
      },
      closed,
    ),
    output: Type.Object({ args: Type.Object({}) }),
    handle: async (args) => ({ args }),
  })
  const add = defineTool({
    name: 'transport_add',
    description: 'Add a note.',
    capability: 'work',
    effect: 'write',
    rest: 'POST /api/transport/notes',
    status: 201,
    input: Type.Object(
      { id: Type.String(), text: Type.String({ maxLength: 2_000_000 }), tags: Type.Optional(Type.Array(Type.String())) },
      closed,
    ),
    output: Type.Object({ note: Note }),
    async handle({ id, text, tags = [] }) {
      if (notes.has(id)) throw Conflict({ message: `The note ${id} exists.`, field: 'id' })
      notes.set(id, { id, text, tags })
      return { note: { id, text, tags } }
    },
  })
  const edit = defineTool({
    name: 'transport_edit',
    description: 'Change a note.',
    capability: 'work',
    effect: 'write',
    idempotent: true,
    rest: 'PATCH /api/transport/notes/:id',
    input: Type.Object({ id: Type.String(), text: Type.String() }, closed),
    output: Type.Object({ note: Note }),
    async handle({ id, text }) {
      const note = notes.get(id)
      if (!note) throw NotFound({ what: 'note', id })
      notes.set(id, { ...note, text })
      return { note: { ...note, text } }
    },
  })
  const remove = defineTool({
    name: 'transport_remove',
    description: 'Remove a note.',
    capability: 'work',
    effect: 'destructive',
    rest: 'DELETE /api/transport/notes/:id',
    input: Type.Object({ id: Type.String(), reason: Type.Optional(Type.String()) }, closed),
    output: Type.Object({ removed: Type.Boolean() }),
    handle: async ({ id }) => ({ removed: notes.delete(id) }),
  })
  const ask = defineTool({
    name: 'transport_ask',
    description: 'Refuse when more than three are asked for.',
    capability: 'read',
    effect: 'read',
    openWorld: true,
    rest: 'GET /api/transport/ask',
    input: Type.Object({ asked: Type.Integer(), level: Type.Optional(Type.String({ default: 'low' })) }, closed),
    output: Type.Object({ given: Type.Integer(), level: Type.String() }),
    errors: [TooMany],
    async handle({ asked, level = 'low' }) {
      if (asked > 3) throw TooMany({ asked })
      if (asked < 0) throw BadRequest({ field: 'asked', message: 'asked must not be negative' })
      return { given: asked, level }
    },
  })
  const broken = defineTool({
    name: 'transport_broken',
    description: 'Fail without a declared error.',
    capability: 'read',
    effect: 'read',
    rest: 'GET /api/transport/broken',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    async handle(): Promise<object> {
      throw new Error('a secret of the plugin')
    },
  })
  const wait = defineTool({
    name: 'transport_wait',
    description: 'Report three steps, then wait until released or aborted.',
    capability: 'read',
    effect: 'read',
    rest: 'POST /api/transport/wait',
    input: Type.Object({ steps: Type.Optional(Type.Integer()) }, closed),
    output: Type.Object({ why: Type.String() }),
    async handle({ steps = 0 }, _uses, ctx) {
      for (let step = 1; step <= steps; step++) ctx.progress(step, steps, `step ${step}`)
      ctx.progress(steps, steps, 'not further on')
      const ended = new Promise<string>((resolve) => {
        const listen = (): void => {
          listeners.add((why) => (why === 'release' ? resolve('released') : listen()))
        }
        listen()
        ctx.signal.addEventListener('abort', () => resolve('aborted'), { once: true })
      })
      fixture.waiting.add(ctx.signal)
      wake('arrival')
      try {
        return { why: await ended }
      } finally {
        fixture.waiting.delete(ctx.signal)
        wake('departure')
      }
    },
  })
  const secret = defineTool({
    name: 'transport_operate',
    description: 'For the operator alone.',
    capability: 'operator',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ ok: Type.Boolean() }),
    handle: async () => ({ ok: true }),
  })
  const report = defineRoute({
    name: 'transport.report',
    description: 'A page that is no tool.',
    capability: 'read',
    effect: 'read',
    rest: 'GET /api/transport/report/:year',
    input: Type.Object({ year: Type.Integer() }, closed),
    output: Type.Object({ year: Type.Integer() }),
    handle: async ({ year }) => ({ year }),
  })

  const admin = defineRoute({
    name: 'transport.admin',
    description: 'A page for the holder of the operator’s token.',
    capability: 'operator',
    effect: 'read',
    rest: 'GET /api/transport/admin',
    credential: 'admin',
    input: Type.Object({}, closed),
    output: Type.Object({ ok: Type.Boolean() }),
    handle: async () => ({ ok: true }),
  })

  const plugin = definePlugin({
    id: 'transport',
    sdk: '^1.0.0',
    description: 'Shapes of tools for REST and MCP.',
    events: [unheard],
    tools: [echo, add, edit, remove, ask, broken, wait, secret],
    routes: [report, admin],
    resources: [
      defineResource({
        uri: 'transport://readme',
        name: 'readme',
        description: 'A text.',
        mimeType: 'text/plain',
        read: async () => [{ uri: 'transport://readme', mimeType: 'text/plain', text: 'read me' }],
      }),
      defineResource({
        uri: 'transport://notes/{id}',
        name: 'note',
        description: 'A note.',
        mimeType: 'application/json',
        async read({ id = '' }) {
          const note = notes.get(id)
          if (!note) throw NotFound({ what: 'note', id })
          return [{ uri: `transport://notes/${id}`, mimeType: 'application/json', text: JSON.stringify(note) }]
        },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'transport_review',
        description: 'Review a thing.',
        arguments: [{ name: 'thing', description: 'Thing to review.', required: true }],
        render: async ({ thing = '' }) => [{ role: 'user', text: `Review ${thing}.` }],
      }),
    ],
    contributes: [
      contribute(bootSection, { create: () => ({ title: 'Manners', order: 10, render: () => fixture.section() }) }),
      contribute(healthProbe, { create: () => ({ name: 'transport', check: () => fixture.probe() }) }),
      contribute(statusFacts, {
        create: () => ({
          schema: { transports: Type.Integer(), looks: Type.Integer() },
          unread: { transports: 0 },
          read: () => fixture.facts(),
        }),
      }),
    ],
  })
  return Object.assign(fixture, { plugin })
}
