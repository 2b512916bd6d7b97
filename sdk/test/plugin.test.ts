import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { defineConfig, definePlugin, definePrompt, defineResource, defineTool, SDK_VERSION, Type } from '@gateway/sdk'
import { closed } from '../src/index.ts'

const identity = { id: 'x', sdk: '^1.0.0', description: 'Does x.' }

test('a plugin has only the parts its author wrote', () => {
  assert.deepEqual(definePlugin(identity), {
    ...identity,
    config: undefined,
    collections: [],
    events: [],
    tools: [],
    routes: [],
    resources: [],
    prompts: [],
    pages: [],
    overview: [],
    publicFiles: [],
    jobs: [],
    metrics: [],
    commands: [],
    provides: [],
    contributes: [],
    on: [],
    start: undefined,
    stop: undefined,
  })
})

test('tools of different types stand in one list', () => {
  const facts = {
    description: 'Read x. Returns it.',
    capability: 'read',
    effect: 'read',
    output: Type.Object({}),
    handle: async () => ({}),
  } as const
  const one = defineTool({ ...facts, name: 'x_one', input: Type.Object({ a: Type.String() }, closed) })
  const two = defineTool({
    ...facts,
    name: 'x_two',
    input: Type.Object({ b: Type.Integer() }, closed),
    uses: { config: defineConfig('x', Type.Object({})) },
  })
  assert.deepEqual(definePlugin({ ...identity, tools: [one, two] }).tools, [one, two])
})

test('identity is not optional, and parts are of their kind', () => {
  // @ts-expect-error `sdk` is missing
  definePlugin({ id: 'x', description: 'Does x.' })
  // @ts-expect-error a tool is made by defineTool
  definePlugin({ ...identity, tools: [{ name: 'x' }] })
  // @ts-expect-error no such part
  definePlugin({ ...identity, widgets: [] })
})

test('prompts and resources fill in what their author left out', () => {
  const prompt = definePrompt({ name: 'p', description: 'Ask.', render: async () => [{ role: 'user', text: 'x' }] })
  assert.deepEqual([prompt.arguments, prompt.uses], [[], {}])
  const facts = { uri: 'x://{id}', name: 'x', description: 'An x.', mimeType: 'text/plain' }
  const resource = defineResource({ ...facts, read: async ({ id }) => [{ uri: `x://${id}`, text: 'x' }] })
  assert.deepEqual(resource.uses, {})
  // @ts-expect-error a message is the user’s or the assistant’s
  definePrompt({ name: 'p', description: 'Ask.', render: async () => [{ role: 'system', text: 'x' }] })
  // @ts-expect-error contents carry their uri
  defineResource({ ...facts, read: async () => [{ text: 'x' }] })
})

test('the version of the contract is the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  assert.equal(SDK_VERSION, version)
})
