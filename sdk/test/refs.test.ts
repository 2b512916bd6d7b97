import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Atomically,
  atomically,
  type Collection,
  contribute,
  defineCollection,
  defineConfig,
  defineContribution,
  defineEvent,
  defineJob,
  defineSeal,
  defineService,
  type Emitter,
  type GatewayWide,
  gatewayWide,
  type JobHandle,
  on,
  optional,
  provide,
  provideProcess,
  type Reach,
  type Resolved,
  type Seal,
  Type,
  throughout,
} from '@gateway/sdk'
import { type Equal, holds } from './type-assertions.ts'

interface Greeter {
  greet(name: string): string
}
const greeter = defineService<Greeter>('greeter')
const clock = defineService<{ now(): number }>('clock', 'process')
const greeting = defineContribution<Greeter>('greeter.greeting')
const settings = defineConfig('x', Type.Object({ word: Type.String(), loud: Type.Optional(Type.Boolean()) }))
const docs = defineCollection('x', { schema: Type.Object({ id: Type.String() }), key: 'id' })
const happened = defineEvent('x.happened', Type.Object({ n: Type.Integer() }))
const sweep = defineJob('x.sweep', { everySeconds: 60, run: async () => ({ swept: 1 }) })

test('each ref resolves to what it stands for', () => {
  const reaches = { fleet: throughout(docs), wide: gatewayWide(docs), seal: defineSeal('x') }
  const uses = { greeter, greeting, settings, docs, happened, sweep, atomically, maybe: optional(greeter), ...reaches }
  type Given = Resolved<typeof uses>
  holds<Equal<Given['greeter'], Greeter>>()
  holds<Equal<Given['greeting'], readonly Greeter[]>>()
  holds<Equal<Given['settings']['word'], string>>()
  holds<Equal<Given['settings']['loud'], boolean | undefined>>()
  holds<Equal<Given['docs'], Collection<{ id: string }>>>()
  holds<Equal<Given['happened'], Emitter<{ n: number }>>>()
  holds<Equal<Given['sweep'], JobHandle<{ swept: number }>>>()
  holds<Equal<Given['atomically'], Atomically>>()
  holds<Equal<Given['maybe'], Greeter | undefined>>()
  holds<Equal<Given['fleet'], Reach<{ id: string }>>>()
  holds<Equal<Given['wide'], GatewayWide<{ id: string }>>>()
  holds<Equal<Given['seal'], Seal>>()
})

test('a ref is inert data: a kind, an id, and what its kind needs', () => {
  assert.deepEqual(greeter, { kind: 'service', id: 'greeter', scope: 'call' })
  assert.deepEqual(clock, { kind: 'service', id: 'clock', scope: 'process' })
  assert.deepEqual(greeting, { kind: 'contribution', id: 'greeter.greeting' })
  assert.deepEqual(happened.payload, Type.Object({ n: Type.Integer() }))
  assert.deepEqual(optional(greeter), { kind: 'optional', id: 'greeter', of: greeter })
  assert.deepEqual([sweep.kind, sweep.id, sweep.everySeconds, sweep.uses], ['job', 'x.sweep', 60, {}])
  assert.deepEqual([settings.kind, settings.id], ['config', 'x'])
  assert.deepEqual(throughout(docs), { kind: 'reach', id: 'x', of: docs })
  assert.deepEqual(gatewayWide(docs), { kind: 'gateway-wide', id: 'x', of: docs })
  assert.deepEqual(defineSeal('x'), { kind: 'seal', id: 'x' })
  assert.deepEqual(atomically, { kind: 'kernel', id: 'atomically' })
})

test('a provider makes what its service promises, from what it uses', () => {
  const provider = provide(greeter, {
    uses: { settings },
    create: ({ settings }, ctx) => ({ greet: (name) => `${settings.word} ${name} of ${ctx.tenantId}` }),
  })
  assert.equal(provider.ref, greeter)
  assert.deepEqual(provider.uses, { settings })
  assert.deepEqual(provideProcess(clock, { create: () => ({ now: () => 0 }) }).uses, {})
  // @ts-expect-error `greet` returns a string
  provide(greeter, { create: () => ({ greet: () => 1 }) })
  // @ts-expect-error `greet` is missing
  provide(greeter, { create: () => ({}) })
  // @ts-expect-error a process service knows no caller
  provideProcess(clock, { create: (_uses, ctx) => ({ now: () => ctx.now().getTime() }) })
})

test('a contribution is of the kind its owner collects', () => {
  const contribution = contribute(greeting, { uses: { settings }, create: ({ settings }) => ({ greet: () => settings.word }) })
  assert.equal(contribution.to, greeting)
  assert.deepEqual(contribution.uses, { settings })
  // @ts-expect-error not what is collected
  contribute(greeting, { create: () => 'hello' })
})

test('a listener receives the payload of its event', () => {
  const subscription = on(happened, {
    uses: { docs },
    async handle(payload, uses, ctx) {
      holds<Equal<typeof payload, { n: number }>>()
      holds<Equal<typeof uses.docs, Collection<{ id: string }>>>()
      holds<Equal<typeof ctx.via, 'mcp' | 'rest' | 'job' | 'event'>>()
    },
  })
  assert.equal(subscription.event, happened)
  const emit = (emitter: Emitter<{ n: number }>): void => {
    emitter.emit({ n: 1 })
    // @ts-expect-error `n` is a number
    emitter.emit({ n: 'one' })
  }
  assert.equal(typeof emit, 'function')
})

test('settings are read-only', () => {
  const read = (given: Resolved<{ settings: typeof settings }>): void => {
    // @ts-expect-error settings are frozen
    given.settings.word = 'x'
  }
  assert.throws(() => read({ settings: Object.freeze({ word: 'y' }) }), TypeError)
})
