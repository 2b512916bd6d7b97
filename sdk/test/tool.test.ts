import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineEvent, defineRoute, defineService, defineTool, optional, Type } from '@gateway/sdk'
import { fakeContext, fakeEmitter } from '@gateway/testing'
import { closed } from '../src/index.ts'
import { type Equal, holds } from './type-assertions.ts'

const facts = { name: 'x_get', description: 'Read one x. Returns it.', capability: 'read', effect: 'read' } as const
const input = Type.Object({ id: Type.String(), depth: Type.Optional(Type.Integer({ default: 3 })) }, closed)
const output = Type.Object({ name: Type.String(), tags: Type.Optional(Type.Array(Type.String())) })

test('a tool fills in what its author left out', () => {
  const tool = defineTool({ ...facts, input, output, handle: async ({ id }) => ({ name: id }) })
  assert.equal(tool.kind, 'tool')
  assert.equal(tool.status, 200)
  assert.equal(tool.rest, undefined)
  assert.equal(tool.openWorld, false)
  assert.deepEqual(tool.errors, [])
  assert.deepEqual(tool.uses, {})
})

test('what only reads is idempotent; what writes says so itself', () => {
  const handle = async () => ({ name: '' })
  assert.equal(defineTool({ ...facts, input, output, handle }).idempotent, true)
  assert.equal(defineTool({ ...facts, effect: 'write', input, output, handle }).idempotent, false)
  assert.equal(defineTool({ ...facts, effect: 'destructive', input, output, handle }).idempotent, false)
  assert.equal(defineTool({ ...facts, effect: 'write', idempotent: true, input, output, handle }).idempotent, true)
  const route = { ...facts, rest: 'GET /api/x', input, output, handle } as const
  assert.equal(defineRoute(route).idempotent, true)
  assert.equal(defineRoute({ ...route, effect: 'write' }).idempotent, false)
  assert.equal(defineRoute(route).kind, 'route')
})

test('a handler can be called with fakes and no gateway', async () => {
  const greeter = defineService<{ greet(name: string): string }>('greeter')
  const greeted = defineEvent('greeter.greeted', Type.Object({ name: Type.String() }))
  const tool = defineTool({
    ...facts,
    input,
    output,
    uses: { greeter, greeted },
    async handle({ id }, { greeter, greeted }, ctx) {
      ctx.log.info('greeting', { id })
      ctx.audit('greeter.greet', { id })
      greeted.emit({ name: id })
      return { name: `${greeter.greet(id)} ${ctx.newId('x-')} ${ctx.now().toISOString()}` }
    },
  })
  const ctx = fakeContext()
  const emitter = fakeEmitter<{ name: string }>()
  const result = await tool.handle({ id: 'Ada' }, { greeter: { greet: (name) => `Hi ${name}` }, greeted: emitter }, ctx)

  assert.equal(result.name, 'Hi Ada x-000001 2026-01-05T09:00:00.000Z')
  assert.deepEqual(emitter.emitted, [{ name: 'Ada' }])
  assert.deepEqual(ctx.lines, [{ level: 'info', message: 'greeting', fields: { id: 'Ada' } }])
  assert.deepEqual(ctx.audited, [{ name: 'greeter.greet', details: { id: 'Ada' } }])
})

test('a handler is typed by the schemas and the refs of its tool', () => {
  const service = defineService<{ hi(): number }>('s')
  defineTool({
    ...facts,
    rest: 'GET /api/x/:id',
    input,
    output,
    uses: { service, maybe: optional(service) },
    async handle(args, uses, ctx) {
      holds<Equal<typeof args.id, string>>()
      holds<Equal<typeof args.depth, number | undefined>>()
      holds<Equal<ReturnType<typeof uses.service.hi>, number>>()
      holds<Equal<typeof ctx.tenantId, string>>()
      // @ts-expect-error what is optional may be absent
      uses.maybe.hi()
      // @ts-expect-error not listed in `uses`
      void uses.other
      // @ts-expect-error no such argument
      void args.other
      return { name: args.id }
    },
  })
})

test('a handler returns what the output schema says', () => {
  // @ts-expect-error `name` is missing
  defineTool({ ...facts, input, output, handle: async () => ({}) })
  // @ts-expect-error `name` is a string
  defineTool({ ...facts, input, output, handle: async () => ({ name: 1 }) })
  // @ts-expect-error `tags` holds strings
  defineTool({ ...facts, input, output, handle: async () => ({ name: '', tags: [1] }) })
})

test('every parameter of a path is an argument', () => {
  const rest = { ...facts, input, output, handle: async () => ({ name: '' }) }
  defineTool({ ...rest, rest: 'GET /api/x/:id' })
  defineTool({ ...rest, rest: 'GET /api/x/:id/to/:depth' })
  // @ts-expect-error `:key` is no argument
  defineTool({ ...rest, rest: 'GET /api/x/:key' })
  // @ts-expect-error nor is the second one
  defineTool({ ...rest, rest: 'GET /api/x/:id/to/:key' })
  // @ts-expect-error a method and a path
  defineTool({ ...rest, rest: '/api/x/:id' })
  // @ts-expect-error a known method
  defineTool({ ...rest, rest: 'FETCH /api/x/:id' })
  // @ts-expect-error a route keeps to it too
  defineRoute({ ...rest, rest: 'GET /api/x/:key' })
})

test('capability, effect and input are of the known kinds', () => {
  const tool = { ...facts, input, output, handle: async () => ({ name: '' }) }
  // @ts-expect-error no such capability
  defineTool({ ...tool, capability: 'sudo' })
  // @ts-expect-error no such effect
  defineTool({ ...tool, effect: 'delete' })
  // @ts-expect-error arguments are named, hence an object
  defineTool({ ...tool, input: Type.Array(Type.String()) })
})
