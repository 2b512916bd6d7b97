import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sdk from '@gateway/sdk'

const { Type } = sdk
// Calls as a plugin in JavaScript makes them, without type checks.
// biome-ignore lint/suspicious/noExplicitAny: see above
const untyped = sdk as any
const handle = async () => ({})
const operation = { name: 'x_get', description: 'Reads.', capability: 'read', effect: 'read', input: {}, output: {}, handle }
const ref = { kind: 'event', id: 'x.event' }

const cases: Readonly<Record<string, { define: (extra: object) => unknown; what: string }>> = {
  defineTool: { define: (extra) => untyped.defineTool({ ...operation, ...extra }), what: 'tool x_get' },
  defineRoute: { define: (extra) => untyped.defineRoute({ ...operation, rest: 'GET /api/x', ...extra }), what: 'route x_get' },
  defineResource: { define: (extra) => untyped.defineResource({ uri: 'x://y', name: 'y', ...extra }), what: 'resource y' },
  definePrompt: { define: (extra) => untyped.definePrompt({ name: 'ask', ...extra }), what: 'prompt ask' },
  'an argument of a prompt': {
    define: (extra) => untyped.definePrompt({ name: 'ask', arguments: [{ name: 'what', required: true, ...extra }] }),
    what: 'prompt ask: argument what',
  },
  defineJob: { define: (extra) => untyped.defineJob('x.job', { everySeconds: 1, run: handle, ...extra }), what: 'job x.job' },
  defineCommand: { define: (extra) => untyped.defineCommand('show', { load: handle, ...extra }), what: 'command show' },
  commandHandler: { define: (extra) => untyped.commandHandler({ run: handle, ...extra }), what: 'a command handler' },
  defineError: { define: (extra) => untyped.defineError('X_FAILED', { status: 400, ...extra }), what: 'error X_FAILED' },
  defineCollection: {
    define: (extra) => untyped.defineCollection('x.docs', { schema: Type.Object({}), key: 'id', ...extra }),
    what: 'collection x.docs',
  },
  'an index': {
    define: (extra) =>
      untyped.defineCollection('x.docs', { schema: {}, key: 'id', indexes: [{ keys: { a: 1 } }, { keys: { b: 1 }, ...extra }] }),
    what: 'collection x.docs: indexes[1]',
  },
  defineRetention: {
    define: (extra) => untyped.defineRetention('x.retention', { collection: { key: 'id' }, past: handle, ...extra }),
    what: 'retention x.retention',
  },
  on: { define: (extra) => untyped.on(ref, { handle, ...extra }), what: 'on x.event' },
  provide: { define: (extra) => untyped.provide(ref, { create: handle, ...extra }), what: 'provide x.event' },
  provideProcess: { define: (extra) => untyped.provideProcess(ref, { create: handle, ...extra }), what: 'provide x.event' },
  contribute: { define: (extra) => untyped.contribute(ref, { create: handle, ...extra }), what: 'contribute to x.event' },
}

for (const [name, { define, what }] of Object.entries(cases)) {
  test(`${name} refuses a member that it does not know, by its name`, () => {
    assert.doesNotThrow(() => define({}))
    assert.throws(
      () => define({ raest: 1 }),
      (error: Error) => {
        assert.equal(error.name, 'DefinitionError')
        assert.ok(error.message.startsWith(`${what}: raest is none of its members, which are `), error.message)
        return true
      },
    )
    assert.throws(() => define({ raest: 1, use: {} }), /: raest, use are none of its members/)
  })
}

test('what is declared by no object says so', () => {
  assert.throws(() => untyped.defineTool(), {
    name: 'DefinitionError',
    message: 'tool undefined must be declared by an object; got undefined',
  })
  assert.throws(() => untyped.defineJob('x.job', null), { message: 'job x.job must be declared by an object; got null' })
})

test('a member that Object.prototype has is none either', () => {
  assert.throws(() => untyped.defineJob('x.job', { everySeconds: 1, run: handle, constructor: 1 }), /: constructor is none of its members/)
})
