import {
  type ClientAbility,
  closed,
  definePlugin,
  definePrompt,
  defineResource,
  defineTool,
  elicit,
  elicitUrl,
  type InputRequests,
  type LogLevel,
  listChanged,
  listRoots,
  type Plugin,
  resourceUpdated,
  sample,
  Type,
  tenantAdmin,
} from '@gateway/sdk'

const form = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
  },
  required: ['name'],
} as const

export const questions: InputRequests = {
  form: elicit('Who are you?', form),
  page: elicitUrl('Sign in.', 'https://example.test/sign-in'),
  model: sample({ messages: [{ role: 'user', content: { type: 'text', text: 'Two and two?' } }], maxTokens: 10 }),
  folders: listRoots(),
}

/** Plugin whose tools talk to their client, and gates that its tests open. */
export interface TalkFixture {
  readonly plugin: Plugin
  readonly waiting: ReadonlyMap<string, AbortSignal>
  /** Resolves when a call waits at this gate. */
  arrived(gate: string): Promise<void>
  /** Lets the call at this gate report a step of progress. */
  step(gate: string): void
  open(gate: string): void
  left(gate: string): Promise<void>
}

interface Gate {
  readonly signal: AbortSignal
  readonly step: () => void
  readonly open: () => void
}

export function talkFixture(): TalkFixture {
  const gates = new Map<string, Gate>()
  const signals = new Map<string, AbortSignal>()
  let changed: (() => void)[] = []
  const wake = (): void => {
    const woken = changed
    changed = []
    for (const resolve of woken) resolve()
  }
  const until = async (met: () => boolean): Promise<void> => {
    while (!met()) await new Promise<void>((resolve) => changed.push(resolve))
  }

  const ask = defineTool({
    name: 'talk_ask',
    description: 'Ask the client some things and give back its answers.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({ keys: Type.Array(Type.String()) }, closed),
    output: Type.Object({ answers: Type.Object({}) }),
    async handle({ keys }, _uses, ctx) {
      const asked = Object.fromEntries(keys.map((key) => [key, questions[key]])) as InputRequests
      return { answers: await ctx.client.ask(asked) }
    },
  })
  const can = defineTool({
    name: 'talk_can',
    description: 'Shows the abilities of the client.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ abilities: Type.Array(Type.String()) }),
    async handle(_input, _uses, ctx) {
      const all: ClientAbility[] = ['elicitation', 'elicitation.url', 'sampling', 'sampling.tools', 'roots', 'tasks']
      return { abilities: all.filter((ability) => ctx.client.can(ability)) }
    },
  })
  const log = defineTool({
    name: 'talk_log',
    description: 'Log at each level that is given.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({ levels: Type.Array(Type.String()) }, closed),
    output: Type.Object({}),
    async handle({ levels }, _uses, ctx) {
      for (const level of levels) ctx.client.log(level as LogLevel, { said: level }, 'talk')
      return {}
    },
  })
  const gate = defineTool({
    name: 'talk_gate',
    description: 'Report a step, or leave the client, then wait at a gate.',
    capability: 'read',
    effect: 'read',
    input: Type.Object(
      {
        gate: Type.String(),
        say: Type.Optional(Type.Enum(['nothing', 'step', 'detach', 'detach-required'])),
        size: Type.Optional(Type.Integer()),
      },
      closed,
    ),
    output: Type.Object({ gate: Type.String(), why: Type.String() }),
    async handle({ gate, say = 'nothing', size = 0 }, _uses, ctx) {
      let steps = 0
      const step = (): void => ctx.progress(++steps)
      if (say === 'step') step()
      if (say.startsWith('detach')) await ctx.client.detach({ required: say === 'detach-required' })
      const why = await new Promise<string>((resolve) => {
        gates.set(gate, { signal: ctx.signal, step, open: () => resolve('opened') })
        signals.set(gate, ctx.signal)
        ctx.signal.addEventListener('abort', () => resolve('aborted'), { once: true })
        wake()
      })
      gates.delete(gate)
      signals.delete(gate)
      wake()
      return { gate, why: why + '.'.repeat(size) }
    },
  })
  const touch = defineTool({
    name: 'talk_touch',
    description: 'Say that a resource changed.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({ uri: Type.String() }, closed),
    output: Type.Object({}),
    uses: { updated: resourceUpdated },
    async handle({ uri }, { updated }) {
      updated.emit({ uri })
      return {}
    },
  })
  const change = defineTool({
    name: 'talk_change',
    description: 'Say that a list changed.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({ list: Type.Enum(['tools', 'prompts', 'resources']) }, closed),
    output: Type.Object({}),
    uses: { changed: listChanged },
    async handle({ list }, { changed }) {
      changed.emit({ list })
      return {}
    },
  })
  const suspend = defineTool({
    name: 'talk_suspend',
    description: 'Create a tenant and suspend it.',
    capability: 'operator',
    effect: 'write',
    input: Type.Object({ tenant: Type.String() }, closed),
    output: Type.Object({}),
    uses: { tenants: tenantAdmin },
    async handle({ tenant }, { tenants }) {
      await tenants.create({ name: tenant, plan: 'free', tenantId: tenant })
      await tenants.suspend(tenant, 'a test')
      return {}
    },
  })

  const colours = ['red', 'green', 'blue']
  const plugin = definePlugin({
    id: 'talk',
    sdk: '^1.0.0',
    description: 'Tools that speak with their client.',
    tools: [ask, can, log, gate, touch, change, suspend],
    resources: [
      defineResource({
        uri: 'talk://note',
        name: 'note',
        description: 'A note.',
        mimeType: 'text/plain',
        read: async () => [{ uri: 'talk://note', mimeType: 'text/plain', text: 'note' }],
      }),
      defineResource({
        uri: 'talk://colours/{colour}',
        name: 'colour',
        description: 'A colour.',
        mimeType: 'text/plain',
        read: async ({ colour = '' }) => [{ uri: `talk://colours/${colour}`, mimeType: 'text/plain', text: colour }],
        complete: { colour: async (typed) => colours.filter((colour) => colour.startsWith(typed)) },
      }),
    ],
    prompts: [
      definePrompt({
        name: 'talk_paint',
        description: 'Paint something.',
        arguments: [
          { name: 'colour', description: 'Which.' },
          { name: 'shade', description: 'Shade of the colour.' },
        ],
        render: async () => [{ role: 'user', text: 'Paint.' }],
        complete: {
          colour: async (typed, _uses, ctx) => [`${ctx.tenantId} ${typed}`],
          shade: async (typed, _uses, _ctx, others) => Array.from({ length: 250 }, (_, i) => `${others.colour} ${typed} ${i}`),
        },
      }),
    ],
  })
  const gateOf = (name: string): Gate => {
    const found = gates.get(name)
    if (!found) throw new Error(`nobody waits at the gate ${name}`)
    return found
  }
  return {
    plugin,
    waiting: signals,
    arrived: (name) => until(() => gates.has(name)),
    step: (name) => gateOf(name).step(),
    open: (name) => gateOf(name).open(),
    left: (name) => until(() => !gates.has(name)),
  }
}
