import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ToolError } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'
import { library, picture, start } from './support.ts'

const rpc = (name: string, args: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

describe('calling a tool by its effect', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await start()
  })
  after(() => gateway.stop())

  const overMcp = async (name: string, args: object) =>
    (await gateway.inject({ method: 'POST', url: '/mcp/core', body: rpc(name, args) })).json()
  const overRest = (name: string, args: object) => gateway.inject({ method: 'POST', url: `/api/tools/${name}`, body: args })

  test('each effect has its tool, and that tool the hints of its effect', async () => {
    const { result } = (
      await gateway.inject({ method: 'POST', url: '/mcp/core', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    ).json()
    const hints = Object.fromEntries(
      result.tools.map(({ name, annotations }: { name: string; annotations: object }) => [name, annotations]),
    )
    assert.deepEqual(hints.tools_call_read, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true })
    assert.deepEqual(hints.tools_call_write, { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true })
    assert.deepEqual(hints.tools_call_destructive, {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    })
    assert.deepEqual(hints.tools_search, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  })

  const ofEffect = { read: 'book_find', write: 'book_lend', destructive: 'book_burn' }
  for (const [effect, tool] of Object.entries(ofEffect)) {
    test(`tools_call_${effect} calls ${tool}, and the others say so`, async () => {
      const args = { tool, arguments: { book: 'Persuasion' } }
      assert.equal((await gateway.call(`tools_call_${effect}`, args)).book, 'Persuasion')
      for (const other of Object.keys(ofEffect).filter((other) => other !== effect)) {
        await assert.rejects(gateway.call(`tools_call_${other}`, args), {
          code: 'WRONG_EFFECT',
          status: 400,
          message: `${tool} has the effect ${effect}: call it with tools_call_${effect}.`,
          details: { tool, effect, callWith: `tools_call_${effect}` },
        })
      }
    })
  }

  test('it is called as the caller, over the caller’s transport, in the caller’s tenant', async () => {
    const as = { id: 'ada', kind: 'user', role: 'member', tenantId: 'acme' } as const
    const args = { tool: 'book_find', arguments: { book: 'x', tenantId: 'other' }, tenantId: 'other' }
    assert.deepEqual(await gateway.call('tools_call_read', args, { as, via: 'rest' }), {
      book: 'x',
      tenantId: 'acme',
      principal: 'ada',
      via: 'rest',
    })
  })

  test('arguments may be left out, and are checked by the called tool', async () => {
    assert.deepEqual(await gateway.call('tools_call_write', { tool: 'shelf_configure' }), {})
    await assert.rejects(gateway.call('tools_call_read', { tool: 'book_find' }), { code: 'BAD_REQUEST', message: '`book` is missing.' })
    await assert.rejects(gateway.call('tools_call_read', { tool: 'book_find', arguments: ['x'] }), {
      code: 'BAD_REQUEST',
      message: '`arguments` must be an object; got an array of 1.',
    })
  })

  /** Returns the refusal of a call over each transport, without the request's own id. */
  async function refusals(name: string, args: object): Promise<object[]> {
    const { result } = await overMcp(name, args)
    assert.equal(result.isError, true)
    const rest = await overRest(name, args)
    return [result.structuredContent, rest.json()].map(({ requestId: _differs, ...record }) => record)
  }

  test('a refusal is the called tool’s own: code, status, sentence and details', async () => {
    const direct = (await refusals('book_lend', { book: 'Emma' }))[0]
    assert.deepEqual(await refusals('tools_call_write', { tool: 'book_lend', arguments: { book: 'Emma' } }), [direct, direct])
    assert.equal((await overRest('tools_call_write', { tool: 'book_lend', arguments: { book: 'Emma' } })).status, 409)
    await assert.rejects(gateway.call('tools_call_read', { tool: 'shelf_broken' }), { code: 'INTERNAL_ERROR', status: 500 })
    const line = gateway.logs.filter(({ operation }) => operation === 'tools_call_read')
    assert.deepEqual(line, [], 'a called tool’s fault is not logged as one of the caller')
  })

  test('a tool that is not there is a refusal to read, not a fault of the protocol', async () => {
    const expected = { error: 'Unknown tool: book_eat', code: 'UNKNOWN_TOOL', details: { name: 'book_eat' } }
    assert.deepEqual(await refusals('tools_call_read', { tool: 'book_eat' }), [expected, expected])
  })

  test('it calls neither itself nor its siblings', async () => {
    for (const tool of ['tools_call_read', 'tools_call_destructive', 'tools_search'])
      await assert.rejects(gateway.call('tools_call_read', { tool, arguments: { tool: 'book_burn', arguments: { book: 'x' } } }), {
        code: 'UNKNOWN_TOOL',
      })
    const itself = { error: 'Unknown tool: tools_call_read', code: 'UNKNOWN_TOOL', details: { name: 'tools_call_read' } }
    assert.deepEqual(await refusals('tools_call_read', { tool: 'tools_call_read' }), [itself, itself])
  })

  test('rich content passes through, with the result as structure and without', async () => {
    const shown = (await overMcp('tools_call_read', { tool: 'cover_show' })).result
    assert.deepEqual(shown, { content: picture, structuredContent: { width: 1 } })
    assert.deepEqual((await overMcp('tools_call_read', { tool: 'cover_only' })).result, { content: picture })
    assert.deepEqual((await overRest('tools_call_read', { tool: 'cover_show' })).json(), { width: 1 })
    assert.deepEqual((await overRest('tools_call_read', { tool: 'cover_only' })).json(), { content: picture })
  })
})

test('under enforcement a refusal names the called tool, and what its caller lacks', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
  const member = { as: { id: 'mia', role: 'member', kind: 'user', tenantId: 'acme' } } as const
  const refusal = await gateway.call('shelf_configure', {}, member).catch((error: ToolError) => error)
  assert.equal(refusal.code, 'FORBIDDEN')
  await assert.rejects(gateway.call('tools_call_write', { tool: 'shelf_configure' }, member), {
    code: 'FORBIDDEN',
    message: refusal.message,
  })
  const viewer = { as: { id: 'vic', role: 'viewer', kind: 'user', tenantId: 'acme' } } as const
  assert.equal((await gateway.call('tools_call_read', { tool: 'book_find', arguments: { book: 'x' } }, viewer)).principal, 'vic')
  await assert.rejects(gateway.call('tools_call_write', { tool: 'book_lend', arguments: { book: 'x' } }, viewer), { code: 'FORBIDDEN' })
})

test('the core list is what stands only there, and what the families offer for it', async () => {
  await using gateway = await start()
  const list = async (url: string) => {
    const { result } = (await gateway.inject({ method: 'POST', url, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).json()
    return result.tools.map(({ name }: { name: string }) => name)
  }
  assert.deepEqual(await list('/mcp/core'), ['book_lend', 'tools_search', 'tools_call_read', 'tools_call_write', 'tools_call_destructive'])
  assert.deepEqual(
    await list('/mcp'),
    library.tools.map(({ name }) => name),
  )
})
