import {
  closed,
  defineCollection,
  definePlugin,
  definePrompt,
  defineResource,
  defineTool,
  elicit,
  listChanged,
  resourceUpdated,
  Type,
} from '@gateway/sdk'

const mine = defineCollection('fuzz_mine', { schema: Type.Object({ id: Type.String(), secret: Type.String() }, closed), key: 'id' })
const output = Type.Object({ secret: Type.String(), n: Type.Integer() }, closed)
const n = Type.Optional(Type.Integer())
const read = { capability: 'read', effect: 'read', uses: { mine } } as const

type Mine = { get(id: string): Promise<{ readonly secret: string } | undefined> }
const secretOf = async (mine: Mine): Promise<string> => (await mine.get('secret'))?.secret ?? 'none'

/** Tools that answer with data only the caller's tenant has, and that use every notification and question a tool can. */
export const fuzzPlugin = definePlugin({
  id: 'fuzz',
  sdk: '^1.0.0',
  description: 'Keeps a secret per tenant.',
  collections: [mine],
  tools: [
    defineTool({
      name: 'fuzz_keep',
      description: 'Keep the secret.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ secret: Type.String() }, closed),
      output: Type.Object({}, closed),
      uses: { mine },
      async handle({ secret }, { mine }) {
        await mine.upsert({ id: 'secret', secret }, { set: { secret } })
        return {}
      },
    }),
    defineTool({
      ...read,
      name: 'fuzz_mine',
      description: 'Give back the secret.',
      input: Type.Object({ n }, closed),
      output,
      handle: async ({ n = 0 }, { mine }) => ({ secret: await secretOf(mine), n }),
    }),
    defineTool({
      ...read,
      name: 'fuzz_marked',
      description: 'Give back the secret; arguments stand in headers.',
      input: Type.Object({ n: Type.Optional(Type.Integer({ 'x-mcp-header': 'N' })) }, closed),
      output,
      handle: async ({ n = 0 }, { mine }) => ({ secret: await secretOf(mine), n }),
    }),
    defineTool({
      ...read,
      name: 'fuzz_steps',
      description: 'Report steps and log, then give back the secret.',
      input: Type.Object({ n, steps: Type.Integer({ minimum: 0, maximum: 5 }) }, closed),
      output,
      async handle({ n = 0, steps }, { mine }, ctx) {
        const secret = await secretOf(mine)
        for (let step = 1; step <= steps; step++) {
          ctx.progress(step, steps, secret)
          ctx.client.log('warning', { secret })
        }
        return { secret, n }
      },
    }),
    defineTool({
      ...read,
      name: 'fuzz_ask',
      description: 'Ask, then give back the secret.',
      input: Type.Object({ n }, closed),
      output,
      async handle({ n = 0 }, { mine }, ctx) {
        const secret = await secretOf(mine)
        await ctx.client.ask({ who: elicit(secret, { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }) })
        return { secret, n }
      },
    }),
    defineTool({
      name: 'fuzz_change',
      description: 'Say that everything has changed.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}, closed),
      uses: { listChanged, resourceUpdated },
      async handle(_args, { listChanged, resourceUpdated }) {
        for (const list of ['tools', 'prompts', 'resources'] as const) listChanged.emit({ list })
        resourceUpdated.emit({ uri: 'fuzz://secret' })
        return {}
      },
    }),
  ],
  resources: [
    defineResource({
      uri: 'fuzz://secret',
      name: 'secret',
      description: 'The secret.',
      mimeType: 'text/plain',
      uses: { mine },
      read: async (_variables, { mine }) => [{ uri: 'fuzz://secret', mimeType: 'text/plain', text: await secretOf(mine) }],
    }),
    defineResource({
      uri: 'fuzz://of/{what}',
      name: 'of',
      description: 'The secret of something.',
      mimeType: 'text/plain',
      uses: { mine },
      read: async ({ what = '' }, { mine }) => [{ uri: `fuzz://of/${what}`, mimeType: 'text/plain', text: await secretOf(mine) }],
      complete: { what: async (_typed, { mine }) => [await secretOf(mine)] },
    }),
  ],
  prompts: [
    definePrompt({
      name: 'fuzz_prompt',
      description: 'Tells the secret.',
      arguments: [{ name: 'what', description: 'Of what.' }],
      uses: { mine },
      render: async (_args, { mine }) => [{ role: 'user', text: await secretOf(mine) }],
    }),
  ],
})
