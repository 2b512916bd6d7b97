import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, afterEach, before, describe, test } from 'node:test'
import conformance from '@gateway/example-conformance'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { transportFixture } from '../../kernel/http/test/transport-plugin.ts'
import type { Agent, Host } from './agent.ts'
import { client2 } from './client-2.ts'
import { sdk1, sdk1OverStdio } from './sdk-1.ts'

/** The programs that host agents, and the protocol each is expected to speak. */
const programs: readonly { name: string; era: Agent['era']; over?: 'stdio'; connect: (url: string, host: Host) => Promise<Agent> }[] = [
  { name: 'the SDK of the handshake era', era: 'handshake', connect: sdk1 },
  { name: 'the client of both eras, left to itself', era: 'handshake', connect: (url, host) => client2(url, host, 'legacy') },
  { name: 'the client of both eras, asking which is spoken', era: 'stateless', connect: (url, host) => client2(url, host, 'auto') },
  { name: 'the client of both eras, pinned', era: 'stateless', connect: (url, host) => client2(url, host, { pin: '2026-07-28' }) },
  { name: 'the SDK of the handshake era over stdio', era: 'handshake', over: 'stdio', connect: sdk1OverStdio },
  {
    name: 'the client of both eras over stdio',
    era: 'stateless',
    over: 'stdio',
    connect: (url, host) => client2(url, host, 'auto', 'stdio'),
  },
]

const transport = transportFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [transport.plugin, conformance], listen: true })
})
after(() => gateway.stop())

/**
 * The official clients drop a call's progress handler before they deliver a notification that came in the same chunk as its
 * answer.
 */
const LATE_PROGRESS = /progress notification for an unknown token/

for (const { name, era, over, connect } of programs) {
  describe(`for ${name}`, () => {
    const faults: Error[] = []
    const ears = new EventTarget()
    const host: Host = {
      fillIn: (message) => (/name/.test(message) ? { name: 'Ada' } : { context: 'a test' }),
      say: (asked) => `You asked: ${asked}`,
      roots: ['file:///work'],
      heard: (what) => ears.dispatchEvent(new Event(what)),
      failed: (error) => void (LATE_PROGRESS.test(error.message) || faults.push(error)),
    }
    let agent: Agent
    before(async () => {
      agent = await connect(`${gateway.url}/mcp`, host)
    })
    after(() => agent.close())
    afterEach(() => assert.deepEqual(faults.splice(0), []))

    test('it connects in the era expected of it, and gets the boot bundle', () => {
      assert.equal(agent.era, era)
      assert.match(agent.instructions ?? '', /## Manners\nBe kind\./)
    })

    test('it lists every tool, in order', async () => {
      const names = [...transport.plugin.tools, ...conformance.tools].map((tool) => tool.name)
      assert.deepEqual(await agent.tools(), names)
    })

    test('it calls a tool', async () => {
      assert.deepEqual(await agent.call('greet', { name: 'Ada' }), { text: 'Hello, Ada!', isError: false })
    })

    test('a refusal is a result that a model can read', async () => {
      const refused = await agent.call('transport_ask', { asked: 5 })
      assert.deepEqual(refused, { text: 'At most three, 5 were asked for.', isError: true })
      assert.equal((await agent.call('transport_ask', { asked: 'many' })).isError, true)
    })

    test('an unknown tool is the protocol’s own error', async () => {
      await assert.rejects(agent.call('nothing'), { code: -32602 })
    })

    test('it hears of progress, in order, and then gets the result', async () => {
      const heard: number[] = []
      const { text } = await agent.call('test_tool_with_progress', {}, { onProgress: (done) => heard.push(done) })
      // For lines that arrive together these packages deliver the answer first, and then the step before it has no listener.
      const last = over === 'stdio' && heard.length === 2 ? [100] : []
      assert.deepEqual([[...heard, ...last], text], [[0, 50, 100], 'Done, in two steps.'])
    })

    test('what it cancels stops', { timeout: 60_000 }, async () => {
      const abort = new AbortController()
      const call = agent.call('transport_wait', {}, { signal: abort.signal })
      await transport.arrived(1)
      abort.abort(new Error('no longer wanted'))
      await assert.rejects(call)
      await transport.gone()
    })

    test('a tool asks its person, its model and the program, also all at once and one after the other', async () => {
      assert.equal((await agent.call('test_input_required_result_elicitation')).text, 'Hello, Ada!')
      assert.equal((await agent.call('test_sampling', { prompt: 'Well?' })).text, 'The model said: You asked: Well?')
      assert.equal((await agent.call('test_input_required_result_list_roots')).text, 'file:///work')
      assert.equal(
        (await agent.call('test_input_required_result_multiple_inputs')).text,
        'You asked: Greet someone. Ada works in 1 folders.',
      )
      assert.equal((await agent.call('test_tool_with_task')).text, 'Hello, Ada!')
    })

    test('a prompt asks, too', async () => {
      assert.equal(await agent.prompt('test_input_required_result_prompt'), 'The context: a test.')
    })

    test('it reads a resource, and completes an argument', async () => {
      assert.match((await agent.resource('test://template/42/data')) ?? '', /"id":"42"/)
      assert.deepEqual(await agent.completion('test_prompt_with_arguments', 'arg1', 'test'), ['testValue1', 'testValue2'])
    })

    test('it hears of a resource it watches, and of a list that changed', { timeout: 60_000 }, async () => {
      await agent.watch('test://watched-resource')
      const updated = once(ears, 'test://watched-resource')
      const changed = once(ears, 'tools')
      await agent.call('test_trigger_resource_change')
      await agent.call('test_trigger_tool_change')
      await Promise.all([updated, changed])
    })
  })
}
