import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { transportFixture } from '../../../kernel/http/test/transport-plugin.ts'
import { freePort } from '../../../test/support/ports.ts'
import { ended, gateway, notesArguments, spawnNotes, startService, temporaryFolder } from './cli-fixture.ts'

/** Runs `gateway mcp` as a separate process, with the official client at its other end. */
async function openClient(url: string, ...options: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...notesArguments, 'mcp', '--url', url, ...options],
    env: { PATH: process.env.PATH ?? '' },
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const faults: Error[] = []
  client.onerror = (error) => faults.push(error)
  let said = ''
  transport.stderr?.on('data', (part: Buffer) => (said += part.toString()))
  await client.connect(transport as Transport)
  return { client, faults, said: () => said }
}

describe('the official client over standard streams', () => {
  const transport = transportFixture()
  let service: TestGateway
  let open: Awaited<ReturnType<typeof openClient>>
  before(async () => {
    service = await startTestGateway({ plugins: [transport.plugin], listen: true, env: { GATEWAY_PORT: String(await freePort()) } })
    open = await openClient(service.url)
  })
  after(async () => {
    await open.client.close()
    await service.stop()
    assert.deepEqual(open.faults, [])
  })

  it('shakes hands with the service itself and lists its tools', async () => {
    assert.equal(open.client.getServerVersion()?.name, 'gateway')
    assert.match(open.client.getInstructions() ?? '', /## Manners\nBe kind\./)
    const { tools } = await open.client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      transport.plugin.tools.map(({ name }) => name),
    )
  })

  it('calls, and is refused, as over HTTP', async () => {
    const { structuredContent } = await open.client.callTool({ name: 'transport_echo', arguments: { id: 'ü "x"\n', count: 2 } })
    assert.deepEqual(structuredContent, { args: { id: 'ü "x"\n', count: 2 } })
    const refused = await open.client.callTool({ name: 'transport_ask', arguments: { asked: 5 } })
    assert.deepEqual([refused.isError, (refused.structuredContent as { code: string }).code], [true, 'FACE_TOO_MANY'])
    await assert.rejects(open.client.callTool({ name: 'nothing' }), { code: -32602, message: /Unknown tool: nothing/ })
  })

  it('hears of progress', async () => {
    const heard: number[] = []
    const onprogress = ({ progress }: { progress: number }): void => {
      heard.push(progress)
      if (progress === 3) transport.release()
    }
    const { structuredContent } = await open.client.callTool({ name: 'transport_wait', arguments: { steps: 3 } }, undefined, { onprogress })
    assert.deepEqual([structuredContent, heard], [{ why: 'released' }, [1, 2, 3]])
  })

  it('has 200 calls answered at once, each with its own answer', async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    const answers = await Promise.all(numbers.map((n) => open.client.callTool({ name: 'transport_echo', arguments: { id: `n${n}` } })))
    assert.deepEqual(
      answers.map(({ structuredContent }) => (structuredContent as { args: { id: string } }).args.id),
      numbers.map((n) => `n${n}`),
    )
  })

  it('cancels a call in the service', async () => {
    const controller = new AbortController()
    const call = open.client.callTool({ name: 'transport_wait', arguments: {} }, undefined, { signal: controller.signal })
    await transport.arrived(1)
    controller.abort()
    await assert.rejects(call)
    await transport.gone()
  })

  it('does not notice that the service was restarted', async () => {
    await service.restart()
    const answers = await Promise.all(['a', 'b', 'c'].map((id) => open.client.callTool({ name: 'transport_echo', arguments: { id } })))
    assert.deepEqual(
      answers.map(({ structuredContent }) => structuredContent),
      ['a', 'b', 'c'].map((id) => ({ args: { id, count: 1 } })),
    )
    assert.equal(open.said(), '', 'the session is kept: there is nothing to open anew')
  })
})

test('a request waits for a service that was killed until it is started again', async (t) => {
  const env = { GATEWAY_DATA_DIR: await temporaryFolder(t), GATEWAY_PORT: String(await freePort()) }
  const first = await startService(t, env)
  const { client, faults } = await openClient(first.url)
  t.after(() => client.close())
  await client.callTool({ name: 'put_note', arguments: { id: 'before', text: '' } })
  await first.signal('SIGKILL')
  const waiting = client.callTool({ name: 'put_note', arguments: { id: 'between', text: '' } })
  await startService(t, env)
  assert.deepEqual((await waiting).structuredContent, { id: 'between' })
  assert.deepEqual((await client.callTool({ name: 'count_notes' })).structuredContent, { count: 2 })
  assert.deepEqual(faults, [])
})

test('a service that does not run is an error that says how to start one', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  await assert.rejects(
    openClient(url, '--wait', '0'),
    new RegExp(`No gateway answers at ${url}/mcp \\(ECONNREFUSED\\)\\. Start one with \`gateway start\``),
  )
})

describe('the process', () => {
  const transport = transportFixture()
  let service: TestGateway
  before(async () => {
    service = await startTestGateway({ plugins: [transport.plugin], listen: true })
  })
  after(() => service.stop())
  const call = (id: unknown, name: string, args: object = {}): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`

  it('says at once that nobody answers, while a request waits', async () => {
    const child = spawnNotes(['mcp', '--url', `http://127.0.0.1:${await freePort()}`])
    child.stdin?.write(call(1, 'transport_echo', { id: 'x' }))
    const [said] = await once(child.stderr as never, 'data')
    child.kill('SIGKILL')
    assert.match(String(said), /^gateway mcp: No gateway answers at .* \(ECONNREFUSED\).* Requests wait for it, up to 30 s\.\n$/)
  })

  it('answers what it was asked before its input ended, garbage between it too, and ends with 0', async () => {
    const child = spawnNotes(['mcp', '--url', service.url])
    child.stdin?.end(`${call(1, 'transport_echo', { id: 'x' })}{garbage\n\n${call(2, 'transport_echo', { id: 'y' }).trimEnd()}`)
    const { code, stdout, stderr } = await ended(child)
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const codes = Object.fromEntries(answers.map(({ id, error }) => [String(id), error?.code]))
    assert.deepEqual([code, stderr, codes], [0, '', { 1: undefined, 2: undefined, null: -32700 }])
  })

  it('ends when its client dies in the middle of a call, and the call is given up', async () => {
    const child = spawnNotes(['mcp', '--url', service.url])
    const exited = once(child, 'exit')
    child.stdin?.write(call(1, 'transport_wait'))
    await transport.arrived(1)
    child.stdin?.destroy()
    child.stdout?.destroy()
    assert.deepEqual(await exited, [0, null])
    await transport.gone()
  })

  it('ends with 0 when nobody reads it any more', async () => {
    const child = spawnNotes(['mcp', '--url', service.url])
    const exited = once(child, 'exit')
    child.stdout?.destroy()
    child.stdin?.write(call(1, 'transport_echo', { id: 'x' }))
    assert.deepEqual(await exited, [0, null])
  })

  it('ends with 0 on SIGTERM, although a call runs and nobody reads', async () => {
    const child = spawnNotes(['mcp', '--url', service.url])
    const exited = once(child, 'exit')
    child.stdin?.write(call(0, 'transport_wait'))
    await transport.arrived(1)
    child.stdin?.on('error', () => undefined)
    for (let n = 1; n < 50; n++) child.stdin?.write(call(n, 'transport_echo', { id: 'x'.repeat(50_000) }))
    await once(child.stdout as never, 'readable')
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    await transport.gone()
  })

  it('calls with the credential and the view it was given', async (t) => {
    const seen: unknown[] = []
    const server = createServer((request, response) => {
      seen.push([request.url, request.headers['x-api-key']])
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const child = spawnNotes(['mcp', '--view', 'tasks,mailbox'], { GATEWAY_URL: url, GATEWAY_API_KEY: 'gw_test_key' })
    child.stdin?.end(call(1, 'x'))
    await ended(child)
    assert.deepEqual(seen, [['/mcp/t/tasks,mailbox', 'gw_test_key']])
  })
})

for (const [argv, sentence] of [
  [['mcp', 'core'], 'Expected options only; got "core".'],
  [['mcp', '--view', 'a/../b'], '--view must be core, or families such as tasks,mailbox; got "a/../b".'],
  [['mcp', '--wait', 'long'], '--wait must be a number of seconds; got "long".'],
] as const) {
  test(`gateway ${argv.join(' ')}: wrong usage is 64 and one sentence`, async () => {
    const { code, stdout, stderr } = await gateway(argv)
    assert.deepEqual([code, stdout, stderr], [64, '', `gateway: ${sentence}\n`])
  })
}
