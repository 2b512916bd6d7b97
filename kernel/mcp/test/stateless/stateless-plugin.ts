import {
  BadRequest,
  bootSection,
  Conflict,
  closed,
  contribute,
  defineError,
  definePlugin,
  definePrompt,
  defineResource,
  defineTool,
  elicit,
  elicitUrl,
  listChanged,
  listRoots,
  type Plugin,
  resourceUpdated,
  sample,
  Type,
  tenantAdmin,
  toolbox,
  withContent,
} from '@gateway/sdk'

/** Plugin with a tool for each feature that the stateless protocol has to carry. */
export interface StatelessFixture {
  readonly plugin: Plugin
  runs(tool: string): number
  /** Calls of `era_wait` that are running. */
  readonly waiting: Set<AbortSignal>
  release(): void
  arrived(count: number): Promise<void>
  gone(): Promise<void>
}

const Refused = defineError('ERA_REFUSED', {
  status: 409,
  description: 'The tool says no.',
  details: Type.Object({}),
  message: () => 'No.',
})
export const nameForm = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const
const confirmForm = { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] } as const
const askName = elicit<{ name: string }>('What is your name?', nameForm)
const askModel = sample({ messages: [{ role: 'user', content: { type: 'text', text: 'The capital of France?' } }], maxTokens: 100 })

export function statelessFixture(): StatelessFixture {
  const began = new Map<string, number>()
  const begins = (tool: string): void => void began.set(tool, (began.get(tool) ?? 0) + 1)
  const listeners = new Set<(why: string) => void>()
  const wake = (why: string): void => {
    const woken = [...listeners]
    listeners.clear()
    for (const listener of woken) listener(why)
  }
  const change = (): Promise<void> => new Promise((resolve) => listeners.add(() => resolve()))
  const waiting = new Set<AbortSignal>()
  async function released(signal: AbortSignal): Promise<string> {
    const ended = new Promise<string>((resolve) => {
      const listen = (): void => void listeners.add((why) => (why === 'release' ? resolve('released') : listen()))
      listen()
      signal.addEventListener('abort', () => resolve('aborted'), { once: true })
    })
    waiting.add(signal)
    wake('arrival')
    try {
      return await ended
    } finally {
      waiting.delete(signal)
      wake('departure')
    }
  }

  const read = { capability: 'read', effect: 'read' } as const
  const nothing = Type.Object({}, closed)
  const text = Type.Object({ text: Type.String() })

  const echo = defineTool({
    ...read,
    name: 'era_echo',
    description: 'Give back the arguments.',
    input: Type.Object(
      {
        id: Type.Optional(Type.String()),
        region: Type.Optional(Type.String({ 'x-mcp-header': 'Region' })),
        count: Type.Optional(Type.Integer({ 'x-mcp-header': 'Count' })),
        flag: Type.Optional(Type.Boolean({ 'x-mcp-header': 'FLAG' })),
        place: Type.Optional(Type.Object({ city: Type.Optional(Type.String({ 'x-mcp-header': 'Place-City' })) }, closed)),
      },
      closed,
    ),
    output: Type.Object({ args: Type.Object({}) }),
    handle: async (args) => ({ args }),
  })
  const greet = defineTool({
    ...read,
    name: 'era_greet',
    description: 'Ask for a name and greet.',
    input: Type.Object({ greeting: Type.Optional(Type.String()) }, closed),
    output: text,
    async handle({ greeting = 'Hello' }, _uses, ctx) {
      begins('era_greet')
      const { user_name } = await ctx.client.ask({ user_name: askName })
      return { text: user_name.action === 'accept' ? `${greeting}, ${user_name.content.name}!` : `No name: ${user_name.action}` }
    },
  })
  const rounds = defineTool({
    ...read,
    name: 'era_rounds',
    description: 'Ask one thing after another.',
    input: nothing,
    output: text,
    async handle(_args, _uses, ctx) {
      begins('era_rounds')
      const { step1 } = await ctx.client.ask({ step1: askName })
      const { step2 } = await ctx.client.ask({ step2: elicit<{ color: string }>('Which colour?', nameForm) })
      const { step3 } = await ctx.client.ask({ step3: listRoots() })
      return { text: `${step1.content?.name} ${step2.action} ${step3.roots.length}` }
    },
  })
  const many = defineTool({
    ...read,
    name: 'era_many',
    description: 'Ask three things at once.',
    input: nothing,
    output: text,
    async handle(_args, _uses, ctx) {
      const { who, model, roots } = await ctx.client.ask({ who: askName, model: askModel, roots: listRoots() })
      return { text: `${who.action} ${model.model} ${roots.roots[0]?.uri}` }
    },
  })
  const visit = defineTool({
    ...read,
    name: 'era_visit',
    description: 'Ask to visit a page.',
    input: nothing,
    output: text,
    async handle(_args, _uses, ctx) {
      const { page } = await ctx.client.ask({ page: elicitUrl('Sign in.', 'https://example.com/sign-in') })
      return { text: page.action }
    },
  })
  const choosy = defineTool({
    ...read,
    name: 'era_choosy',
    description: 'Ask only what the client can answer.',
    input: nothing,
    output: text,
    async handle(_args, _uses, ctx) {
      if (!ctx.client.can('elicitation') && !ctx.client.can('sampling')) return { text: 'alone' }
      const { any } = await ctx.client.ask({ any: ctx.client.can('elicitation') ? askName : askModel })
      return { text: JSON.stringify(any) }
    },
  })
  const outer = defineTool({
    ...read,
    name: 'era_outer',
    description: 'Call a tool that asks.',
    input: nothing,
    output: text,
    uses: { toolbox },
    handle: async (_args, uses) => (await uses.toolbox.call('era_greet', {})).result as { text: string },
  })
  const tell = defineTool({
    ...read,
    name: 'era_tell',
    description: 'Log and report.',
    input: nothing,
    output: text,
    async handle(_args, _uses, ctx) {
      ctx.client.log('debug', 'small')
      ctx.client.log('warning', { what: 'odd' }, 'teller')
      ctx.progress(1, 3, 'one')
      ctx.progress(1, 3, 'again')
      ctx.client.log('critical', undefined)
      ctx.client.log('emergency', ['fire'])
      ctx.progress(3, 3)
      return { text: 'told' }
    },
  })
  const wait = defineTool({
    ...read,
    name: 'era_wait',
    description: 'Wait until released or aborted, detached first if requested.',
    input: Type.Object({ detach: Type.Optional(Type.Boolean()), tell: Type.Optional(Type.Boolean()) }, closed),
    output: Type.Object({ why: Type.String() }),
    async handle({ detach = false, tell = false }, _uses, ctx) {
      begins('era_wait')
      const { signal } = ctx
      if (tell) ctx.progress(1)
      if (detach) await ctx.client.detach()
      ctx.progress(2)
      return { why: await released(signal) }
    },
  })
  const job = defineTool({
    ...read,
    name: 'era_job',
    description: 'Become a task, then end in some way.',
    input: Type.Object(
      { end: Type.Enum(['well', 'content', 'refused', 'bad', 'broken', 'asks', 'asks two', 'asks first', 'asks more', 'asks anew']) },
      closed,
    ),
    output: Type.Object({}),
    errors: [Refused],
    async handle({ end }, _uses, ctx) {
      begins('era_job')
      if (end === 'asks first') {
        const { user_name } = await ctx.client.ask({ user_name: askName })
        await ctx.client.detach()
        return { text: `Hello, ${user_name.content?.name}!` }
      }
      await ctx.client.detach()
      await ctx.client.detach()
      switch (end) {
        case 'well':
          return { text: 'done' }
        case 'content':
          return withContent({}, [{ type: 'text', text: 'shown' }])
        case 'refused':
          throw Refused({})
        case 'bad':
          throw BadRequest({ message: 'It is bad.' })
        case 'broken':
          throw new Error('a secret of the plugin')
        case 'asks': {
          const { sure } = await ctx.client.ask({ sure: elicit<{ confirm: boolean }>('Sure?', confirmForm) })
          return { text: `sure: ${sure.content?.confirm}` }
        }
        case 'asks anew': {
          await ctx.client.ask({ one: askName })
          const { one } = await ctx.client.ask({ one: listRoots() })
          return { text: String(one.roots.length) }
        }
        case 'asks more': {
          const first = await ctx.client.ask({ one: askName })
          const again = await ctx.client.ask({ one: askName, two: askName })
          return { text: `${first.one.content?.name} ${again.one.content?.name} ${again.two.content?.name}` }
        }
        default: {
          const asked = [ctx.client.ask({ one: askName }), ctx.client.ask({ two: askName })] as const
          const [{ one }, { two }] = await Promise.all(asked)
          return { text: `${one.content?.name} ${two.content?.name}` }
        }
      }
    },
  })
  const long = defineTool({
    ...read,
    name: 'era_long',
    description: 'Run as a task or not at all.',
    input: nothing,
    output: text,
    async handle(_args, _uses, ctx) {
      await ctx.client.detach({ required: true })
      return { text: 'long' }
    },
  })
  const change_ = defineTool({
    ...read,
    name: 'era_change',
    description: 'Say that something has changed.',
    input: Type.Object({ list: Type.Optional(Type.Enum(['tools', 'prompts', 'resources'])), uri: Type.Optional(Type.String()) }, closed),
    output: nothing,
    uses: { listChanged, resourceUpdated },
    async handle({ list, uri }, uses) {
      if (list !== undefined) uses.listChanged.emit({ list })
      if (uri !== undefined) uses.resourceUpdated.emit({ uri })
      return {}
    },
  })
  const broken = defineTool({
    ...read,
    name: 'era_broken',
    description: 'Fail without a declared error.',
    input: nothing,
    output: nothing,
    async handle(): Promise<object> {
      throw new Error('a secret of the plugin')
    },
  })
  const tenant = defineTool({
    capability: 'operator',
    effect: 'write',
    name: 'era_tenant',
    description: 'Make or suspend a tenant.',
    input: Type.Object({ subject: Type.String(), suspend: Type.Boolean() }, closed),
    output: nothing,
    uses: { tenantAdmin },
    async handle({ subject, suspend }, uses) {
      if (suspend) await uses.tenantAdmin.suspend(subject)
      else await uses.tenantAdmin.create({ name: subject, plan: 'free', tenantId: subject })
      return {}
    },
  })

  const plugin = definePlugin({
    id: 'era',
    sdk: '^1.0.0',
    description: 'Tools for the stateless protocol.',
    tools: [echo, greet, rounds, many, visit, choosy, outer, tell, wait, job, long, change_, broken, tenant],
    resources: [
      defineResource({
        uri: 'era://readme',
        name: 'readme',
        description: 'A text.',
        mimeType: 'text/plain',
        read: async () => [{ uri: 'era://readme', mimeType: 'text/plain', text: 'read me' }],
      }),
      defineResource({
        uri: 'era://secret/{id}',
        name: 'secret',
        description: 'Asks who reads, or breaks.',
        mimeType: 'text/plain',
        async read({ id = '' }, _uses, ctx) {
          if (id === 'broken') throw new Error('a secret of the plugin')
          if (id === 'detached') await ctx.client.detach({ required: true })
          const { reader } = await ctx.client.ask({ reader: askName })
          return [{ uri: `era://secret/${id}`, mimeType: 'text/plain', text: `${reader.content?.name} reads ${id}` }]
        },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'era_prompt',
        description: 'Asks for the context.',
        arguments: [{ name: 'topic', description: 'Topic of the text.' }],
        async render({ topic = 'nothing' }, _uses, ctx) {
          const { user_context } = await ctx.client.ask({ user_context: askName })
          return [{ role: 'user', text: `${user_context.content?.name} on ${topic}` }]
        },
      }),
      definePrompt({ name: 'era_plain', description: 'Asks nothing.', render: async () => [{ role: 'user', text: 'plain' }] }),
      definePrompt({ name: 'era_refuses', description: 'Says no.', render: () => Promise.reject(Conflict({ message: 'Not now.' })) }),
    ],
    contributes: [contribute(bootSection, { create: () => ({ title: 'Manners', order: 10, render: async () => 'Be kind.' }) })],
  })
  return {
    plugin,
    waiting,
    runs: (tool) => began.get(tool) ?? 0,
    release: () => wake('release'),
    async arrived(count) {
      while (waiting.size < count) await change()
    },
    async gone() {
      while (waiting.size > 0) await change()
    },
  }
}
