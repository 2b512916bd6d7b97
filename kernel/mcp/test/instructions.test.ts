import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootBundle, bootSection, contribute, definePlugin, type Plugin, type Tool } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { transportFixture } from '../../http/test/transport-plugin.ts'

const section = (id: string, order: number, render: () => Promise<string>) =>
  definePlugin({
    id,
    sdk: '^1.0.0',
    description: id,
    contributes: [contribute(bootSection, { create: () => ({ title: id, order, render }) })],
  })

async function bundle(
  ...plugins: ReturnType<typeof section>[]
): Promise<{ text: string; logs: readonly Readonly<Record<string, unknown>>[] }> {
  await using gateway = await startTestGateway({ plugins: [transportFixture().plugin, ...plugins] })
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  const { result } = (await gateway.inject({ method: 'POST', url: '/mcp', body })).json()
  return { text: result.instructions, logs: gateway.logs }
}

test('the boot bundle says which gateway, who the caller is, and how to find tools', async () => {
  const { text } = await bundle()
  assert.match(text, /^# Gateway \d+\.\d+\.\d+\n/)
  for (const part of ['`operator`', 'role operator', 'tenant `local`', '8 tools', 'transport 8', '`tools/list`'])
    assert.ok(text.includes(part), part)
})

test('sections follow in their order, and one with nothing to say is not there', async () => {
  const { text } = await bundle(
    section('late', 90, async () => 'z'),
    section('silent', 20, async () => ''),
    section('early', 5, async () => 'a'),
  )
  assert.deepEqual(
    [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
    ['early', 'Manners', 'late'],
  )
})

test('a section that fails is left out and logged, a long one is cut', async () => {
  const { text, logs } = await bundle(
    section('broken', 5, () => Promise.reject(new Error('no'))),
    section('long', 6, async () => 'x'.repeat(50_000)),
  )
  assert.doesNotMatch(text, /## broken/)
  assert.ok(logs.some((line) => line.section === 'broken'))
  assert.ok(text.length < 4_000)
})

test('a section that takes longer than two seconds is left out and logged', async (t) => {
  let asked = (): void => {}
  const waiting = new Promise<void>((resolve) => (asked = resolve))
  const never = (): Promise<string> => {
    asked()
    return new Promise(() => {})
  }
  await using gateway = await startTestGateway({ plugins: [section('dawdler', 5, never), section('ready', 6, async () => 'here')] })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  const answered = gateway.inject({ method: 'POST', url: '/mcp', body })
  await waiting
  t.mock.timers.tick(2_000)
  t.mock.timers.reset()
  const { instructions } = (await answered).json().result
  assert.doesNotMatch(instructions, /## dawdler/)
  assert.match(instructions, /## ready\nhere/)
  assert.ok(gateway.logs.some((line) => line.section === 'dawdler'))
})

const whole = (render: () => Promise<string>) =>
  definePlugin({
    id: 'whole',
    sdk: '^1.0.0',
    description: 'A text.',
    contributes: [contribute(bootBundle, { create: () => ({ render }) })],
  })

test('a bundle stands in place of the sections, for the operator alone, and of a long one the beginning', async () => {
  const plugins = [section('early', 5, async () => 'a'), whole(async () => `All of it.${'x'.repeat(50_000)}`)]
  const { text } = await bundle(...plugins)
  assert.match(text, /^# Gateway .*\n/)
  assert.ok(text.includes('\n\nAll of it.') && !text.includes('## early') && text.length < 10_000)
})

test('a bundle that fails or is empty leaves the sections there, and says so', async () => {
  for (const render of [() => Promise.reject(new Error('no')), async () => '']) {
    const { text } = await bundle(
      section('early', 5, async () => 'a'),
      whole(render),
    )
    assert.match(text, /## early\na/)
  }
})

async function toolsLine(url: string, plugins: readonly Plugin[]): Promise<string> {
  await using gateway = await startTestGateway({ plugins })
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  return (await gateway.inject({ method: 'POST', url, body })).json().result.instructions.split('\n')[2]
}

const transport = transportFixture().plugin
const listed = (listing: Tool['listing'], ...names: string[]): Plugin => withTools(listing, { listing }, ...names)
const withTools = (id: string, members: Partial<Tool>, ...names: string[]): Plugin => ({
  ...transport,
  id,
  resources: [],
  prompts: [],
  contributes: [],
  events: [],
  routes: [],
  tools: names.map((name) => ({ ...(transport.tools[0] as Tool), name, rest: undefined, ...members })),
})

test('each address speaks of what it lists, and of the way to the rest', async () => {
  const finders = withTools('finders', { listing: 'core-only', forwardsTo: 'id' }, 'find', 'fetch')
  const plugins = [transport, listed('core', 'one', 'two'), finders, listed('core-only', 'next', 'done')]
  assert.equal(await toolsLine('/mcp', plugins), '10 tools by family: transport 8, core 2. `tools/list` has each one’s arguments.')
  assert.equal(
    await toolsLine('/mcp/core', plugins),
    'This list has 6 tools, those that most work needs. 8 more are found and called through `find`, `fetch`. In all 10 by family: transport 8, core 2.',
  )
  assert.equal(
    await toolsLine('/mcp/t/core', plugins),
    'This list has 2 tools by family: core 2. All 10 stand at `/mcp`, a short list at `/mcp/core`.',
  )
})

test('without tools that find the rest, the core list points to the whole one', async () => {
  assert.equal(
    await toolsLine('/mcp/core', [transport, listed('core', 'one')]),
    'This list has 1 tools, those that most work needs. 8 more stand at `/mcp`. In all 9 by family: transport 8, core 1.',
  )
})

test('a gateway without tools says so', async () => {
  assert.equal(await toolsLine('/mcp', [{ ...transport, tools: [] }]), '0 tools. `tools/list` has each one’s arguments.')
})
