import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  closed,
  defineCollection,
  defineConfig,
  defineError,
  defineJob,
  definePlugin,
  defineRoute,
  defineTool,
  type PluginSpec,
  Type,
} from '@gateway/sdk'
import { houseRules } from '@gateway/testing'

const facts = {
  name: 'x_get',
  description: 'Read one x by its id. Returns the x.',
  capability: 'read',
  effect: 'read',
  output: Type.Object({}),
  handle: async () => ({}),
} as const
const input = Type.Object({ id: Type.String({ description: 'Id of the x.' }) }, closed)
const good = defineTool({ ...facts, rest: 'GET /api/x/:id', input })

function faults(parts: Partial<PluginSpec>): string[] {
  const plugin = definePlugin({ id: 'x', sdk: '^1.0.0', description: 'Keeps an x for its callers.', ...parts })
  return houseRules.flatMap((rule) => rule.faults(plugin))
}

test('a plugin in good order has no fault', () => {
  const config = defineConfig('x', Type.Object({ n: Type.Integer({ default: 1, env: 'X_N', description: 'Number of x.' }) }, closed))
  const schema = Type.Object({ id: Type.String(), at: Type.String() })
  const collections = [
    defineCollection('x', { schema, key: 'id', indexes: [{ keys: { at: 1 }, present: 'at', expireAfterSeconds: 1 }], text: ['id'] }),
  ]
  const jobs = [defineJob('x.sweep', { everySeconds: 60, run: async () => 0 })]
  assert.deepEqual(faults({ tools: [good], config, collections, jobs }), [])
})

test('a description is a sentence of 20 to 600 characters that says what comes back', () => {
  const described = (description: string) => faults({ tools: [{ ...good, description }] })
  assert.match(described('Returns x.').join(), /x_get: a description has 20 to 600 characters, this has 10/)
  assert.match(described(`Returns ${'x'.repeat(600)}.`).join(), /this has 609/)
  assert.match(described('reads one x and returns it.').join(), /capital letter/)
  assert.match(described('Read one x; returns the x').join(), /full stop/)
  assert.match(described('Read one x by its own id.').join(), /what comes back/)
  assert.match(described('Read x. Then y. Then z. Returns all.').join(), /x_get: a description has 1 to 3 sentences, this has 4/)
  assert.deepEqual(described('Read x, v1.2, i.e. the x. `y` is another. Returns all.'), [])
  assert.match(faults({ description: 'x' }).join(), /plugin: a description has/)
})

test('routes keep the rules of tools', () => {
  const route = defineRoute({ ...facts, name: 'x.get', description: 'x', rest: 'GET /api/x', input: Type.Object({}, closed) })
  assert.match(faults({ routes: [route] }).join(), /x\.get: a description has/)
})

test('a number, a flag, a list and an object are described; a name is enough for a string, its values for an enumeration', () => {
  const argued = (properties: Parameters<typeof Type.Object>[0]) =>
    faults({ tools: [{ ...good, rest: undefined, input: Type.Object(properties, closed) }] })
  for (const a of [Type.Integer(), Type.Boolean({ description: ' ' }), Type.Array(Type.String()), Type.Object({}), Type.Unknown()]) {
    assert.deepEqual(argued({ a }), ['x_get: the argument a has no description'])
  }
  assert.deepEqual(argued({ a: Type.Union([Type.String(), Type.Integer()]) }), ['x_get: the argument a has no description'])
  const literals = Type.Union([Type.Literal('p'), Type.Literal(1)])
  assert.deepEqual(argued({ repo: Type.String(), a: Type.Enum(['p', 'q']), b: Type.Optional(Type.Literal('p')), c: literals }), [])
})

test('what changes something needs more than read, and a reader that needs more says so', () => {
  assert.match(faults({ tools: [{ ...good, rest: undefined, effect: 'write' }] }).join(), /the capability read is too little/)
  assert.match(
    faults({ tools: [{ ...good, capability: 'configure' }] }).join(),
    /needs the capability configure; the description must name it/,
  )
  const description = 'Read one secret x; needs the capability configure. Returns it.'
  assert.deepEqual(faults({ tools: [{ ...good, capability: 'configure', description }] }), [])
})

test('what only reads can be called twice', () => {
  assert.match(faults({ tools: [{ ...good, idempotent: false }] }).join(), /x_get: it only reads, so calling it twice/)
})

test('a REST binding keeps to the meaning of its method', () => {
  assert.match(faults({ tools: [{ ...good, rest: 'DELETE /api/x/:id' }] }).join(), /it only reads, so it is bound to GET, or to POST/)
  assert.deepEqual(faults({ tools: [{ ...good, rest: 'POST /api/x/search' }] }), [])
  assert.match(faults({ tools: [{ ...good, rest: 'GET api/x' }] }).join(), /api\/x is no path/)
  assert.match(faults({ tools: [{ ...good, status: 302 }] }).join(), /302 is no status of success/)
  const deep = Type.Object({ where: Type.Object({}, { description: 'Which.' }) }, closed)
  const deeper = Type.Object({ where: Type.Array(Type.Object({}), { description: 'Which.' }) }, closed)
  for (const input of [deep, deeper]) {
    assert.match(faults({ tools: [{ ...good, rest: 'GET /api/x', input }] }).join(), /a query string cannot carry the object where/)
  }
})

test('a result is an object', () => {
  assert.match(faults({ tools: [{ ...good, output: Type.Array(Type.String()) }] }).join(), /the output schema is not an object/)
})

test('an error has a code, a status and a sentence of its own', () => {
  const error = (code: string, status: number, description: string) =>
    defineError(code, { status, description, details: Type.Object({}), message: () => '' })
  const declared = (...errors: ReturnType<typeof error>[]) => faults({ tools: [{ ...good, errors }] }).join()
  const sentence = 'The x is gone; look for another.'
  assert.equal(declared(error('X_GONE', 410, sentence)), '')
  assert.match(declared(error('xGone', 410, sentence)), /xGone is not UPPER_SNAKE/)
  assert.match(declared(error('X_GONE', 200, sentence)), /status 200, which is no error/)
  assert.match(declared(error('X_GONE', 410, 'gone')), /x_get: X_GONE: a description has/)
  assert.match(declared(error('NOT_FOUND', 404, sentence)), /NOT_FOUND is open to every tool/)
  assert.match(declared(error('X_GONE', 410, sentence), error('X_GONE', 410, sentence)), /declared twice/)
})

test('a collection names fields it has', () => {
  const collection = defineCollection('x', { schema: Type.Object({ id: Type.String() }), key: 'id' })
  const changed = (change: object) => faults({ collections: [{ ...collection, ...change } as typeof collection] }).join()
  assert.match(changed({ key: 'no' }), /the key no is no field/)
  assert.match(changed({ text: ['no'] }), /the searched field no is no field/)
  assert.match(changed({ indexes: [{ keys: { no: 1 } }] }), /the indexed field no is no field/)
  assert.match(changed({ indexes: [{ keys: { id: 1 }, present: 'no' }] }), /the field of a partial index no/)
  assert.match(changed({ indexes: [{ keys: {} }] }), /an index without keys/)
  assert.match(changed({ indexes: [{ keys: { id: 1, no: 1 }, expireAfterSeconds: 1 }] }), /an expiring index has one key/)
})

test('settings are closed and described, and a gateway starts without any', () => {
  const set = (properties: Parameters<typeof Type.Object>[0], options: { additionalProperties?: boolean } = closed) =>
    faults({ config: defineConfig('x', Type.Object(properties, options)) }).join()
  assert.equal(set({ a: Type.Optional(Type.String({ description: 'An a.' })) }), '')
  assert.match(set({}, {}), /the settings are not closed/)
  assert.match(set({ a: Type.Optional(Type.String()) }), /the setting a has no description/)
  assert.match(set({ a: Type.String({ description: 'An a.' }) }), /no default and is not optional/)
  assert.match(set({ a: Type.Optional(Type.String({ description: 'An a.', env: 'xA' })) }), /xA is no name of a variable/)
})

test('what is stored or scheduled carries the plugin’s id', () => {
  const schema = Type.Object({ id: Type.String() })
  const jobs = [defineJob('sweep', { everySeconds: 60, run: async () => 0 })]
  const collections = [defineCollection('xs', { schema, key: 'id' })]
  assert.deepEqual(faults({ collections, jobs, config: defineConfig('y', Type.Object({}, closed)) }), [
    'the collection xs is named x or x.…',
    'the job sweep is named x or x.…',
    'the config y is named x or x.…',
  ])
})
