import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { BadRequest, closed, defineCollection, definePlugin, definePrompt, defineResource, defineTool, Type } from '@gateway/sdk'
import type { BootedGateway } from '../../src/boot/boot.ts'
import type { CompletionRequest } from '../../src/gateway.ts'
import { booted, caller } from './booted.ts'

const cities = defineCollection('cities', { schema: Type.Object({ name: Type.String() }, closed), key: 'name' })
const atlas = definePlugin({
  id: 'atlas',
  sdk: '^1.0.0',
  description: 'Knows cities.',
  collections: [cities],
  tools: [
    defineTool({
      name: 'city_add',
      description: 'Add a city.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ name: Type.String() }, closed),
      output: Type.Object({}),
      uses: { cities },
      handle: async (city, { cities }) => cities.insert(city),
    }),
  ],
  prompts: [
    definePrompt({
      name: 'travel',
      description: 'Plan a journey.',
      arguments: [
        { name: 'to', description: 'Where to.', required: true },
        { name: 'by', description: 'How.' },
        { name: 'why', description: 'What for.' },
      ],
      uses: { cities },
      render: async () => [],
      complete: {
        to: async (typed, { cities }) => (await cities.find()).items.map(({ name }) => name).filter((name) => name.startsWith(typed)),
        by: async (_typed, _uses, _ctx, { to }) => (to === 'Venice' ? ['boat'] : ['train', 'boat']),
        why: async (typed) => {
          if (typed === 'bug') throw new Error('a bug')
          throw BadRequest({ field: 'why', message: 'Say why yourself.' })
        },
      },
    }),
  ],
  resources: [
    defineResource({
      uri: 'atlas://{city}',
      name: 'city',
      description: 'A city.',
      mimeType: 'text/plain',
      read: async () => [],
      complete: { city: async (typed) => [`${typed}ville`] },
    }),
  ],
})

describe('completion', () => {
  let gateway: BootedGateway & AsyncDisposable
  before(async () => {
    gateway = await booted([atlas])
    const elsewhere = { ...caller, principal: { ...caller.principal, tenantId: 'other' } }
    for (const name of ['Vienna', 'Venice', 'Rome']) await gateway.invoke({ ...caller, name: 'city_add', args: { name } })
    await gateway.invoke({ ...elsewhere, name: 'city_add', args: { name: 'Valletta' } })
  })
  after(() => gateway[Symbol.asyncDispose]())

  const ask = async (asked: Partial<CompletionRequest>) => {
    const outcome = await gateway.complete(caller, { of: 'prompt', ref: 'travel', argument: 'to', typed: '', others: {}, ...asked })
    return outcome.ok ? outcome.result : outcome.error
  }

  it('offers values from what the prompt uses, in the caller’s tenant', async () => {
    assert.deepEqual(await ask({ typed: 'V' }), { values: ['Venice', 'Vienna'] })
  })

  it('knows the arguments that were given already', async () => {
    assert.deepEqual(await ask({ argument: 'by', others: { to: 'Venice' } }), { values: ['boat'] })
    assert.deepEqual(await ask({ argument: 'by' }), { values: ['train', 'boat'] })
  })

  it('completes the variables of a resource template', async () => {
    assert.deepEqual(await ask({ of: 'resource', ref: 'atlas://{city}', argument: 'city', typed: 'Nash' }), { values: ['Nashville'] })
  })

  it('offers nothing for an argument without an offer, whatever it is called', async () => {
    for (const argument of ['when', 'constructor', '__proto__', 'toString']) assert.deepEqual(await ask({ argument }), { values: [] })
  })

  it('refuses a prompt or a template that is not there', async () => {
    const missing: Partial<CompletionRequest>[] = [
      { ref: 'sleep' },
      { of: 'resource', ref: 'atlas://Rome' },
      { of: 'resource', ref: 'travel' },
    ]
    for (const asked of missing) {
      const { code, details } = (await ask(asked)) as { code: string; details: unknown }
      assert.deepEqual([code, details], ['NOT_FOUND', { what: asked.of ?? 'prompt', id: asked.ref }])
    }
  })

  it('refuses as the plugin does, and hides its faults', async () => {
    assert.equal(((await ask({ argument: 'why' })) as { code: string }).code, 'BAD_REQUEST')
    const fault = (await ask({ argument: 'why', typed: 'bug' })) as { code: string; error: string }
    assert.deepEqual([fault.code, fault.error.includes('a bug')], ['INTERNAL_ERROR', false])
  })
})
