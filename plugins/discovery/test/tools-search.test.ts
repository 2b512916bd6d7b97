import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, type Plugin, Type } from '@gateway/sdk'
import type { CallOptions, TestGateway } from '@gateway/testing'
import discovery from '../src/index.ts'
import { library, start } from './support.ts'

const names = async (gateway: TestGateway, args: object, options?: CallOptions): Promise<string[]> =>
  (await gateway.call('tools_search', args, options)).tools.map(({ name }: { name: string }) => name)

test('a hit has what it takes to call it at once', async () => {
  await using gateway = await start()
  const { tools } = await gateway.call('tools_search', { query: 'lend a book' })
  const [first] = tools
  const { name, description, effect } = library.tools[1] as (typeof library.tools)[number]
  assert.deepEqual({ ...first, inputSchema: undefined }, { name, family: 'library', description, effect, inputSchema: undefined })
  assert.deepEqual(first.inputSchema, JSON.parse(JSON.stringify(library.tools[1]?.input)))
  assert.deepEqual(await gateway.call(`tools_call_${effect}`, { tool: name, arguments: { book: 'Persuasion' } }), { book: 'Persuasion' })
})

test('the first three have their input schema, and the name as query gives that of any other', async () => {
  await using gateway = await start()
  const { tools } = await gateway.call('tools_search', { query: 'book' })
  assert.ok(tools.length > 3)
  assert.deepEqual(
    tools.map((tool: object) => 'inputSchema' in tool),
    tools.map((_: unknown, rank: number) => rank < 3),
  )
  const last = tools.at(-1)
  const [named] = (await gateway.call('tools_search', { query: last.name })).tools
  assert.deepEqual([named.name, 'inputSchema' in named], [last.name, true])
})

test('limit cuts the answer, and is itself cut to 25', async () => {
  const many = definePlugin({
    id: 'many',
    sdk: '^1.0.0',
    description: 'Many tools that are alike.',
    tools: Array.from({ length: 40 }, (_, at) =>
      defineTool({
        name: `book_${at}`,
        description: 'A book.',
        capability: 'read',
        effect: 'read',
        input: Type.Object({}, closed),
        output: Type.Object({}),
        handle: async () => ({}),
      }),
    ),
  })
  await using gateway = await start({ plugins: [many, discovery] })
  assert.equal((await names(gateway, { query: 'book' })).length, 8)
  assert.equal((await names(gateway, { query: 'book', limit: 2 })).length, 2)
  assert.equal((await names(gateway, { query: 'book', limit: 1_000 })).length, 25)
  await assert.rejects(gateway.call('tools_search', { query: 'book', limit: 0 }), { code: 'BAD_REQUEST' })
})

test('family keeps to the tools of one plugin; an unknown one is refused with those there are', async () => {
  const other: Plugin = { ...library, id: 'archive', tools: library.tools.map((tool) => ({ ...tool, name: `old_${tool.name}` })) }
  await using gateway = await start({ plugins: [library, other, discovery] })
  const found = await names(gateway, { query: 'book', family: 'archive' })
  assert.ok(found.length > 0)
  assert.ok(found.every((name) => name.startsWith('old_')))
  await assert.rejects(gateway.call('tools_search', { query: 'book', family: 'museum' }), {
    code: 'BAD_REQUEST',
    message: '`family` must be one of library, archive; got "museum".',
    details: { field: 'family', message: '`family` must be one of library, archive; got "museum".' },
  })
})

test('when nothing is found the families say what there is', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('tools_search', { query: 'zeppelin' }), { tools: [], families: ['library'] })
})

test('only what the caller may call is found', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
  const viewer: CallOptions = { as: { role: 'viewer', kind: 'user', tenantId: 'acme' } }
  const admin: CallOptions = { as: { role: 'admin', kind: 'user', tenantId: 'acme' } }
  const query = 'book shelf lend burn configure'
  const open = await names(gateway, { query, limit: 25 }, viewer)
  assert.ok(open.includes('book_find'))
  for (const name of ['book_lend', 'book_burn', 'shelf_configure']) assert.ok(!open.includes(name), name)
  assert.ok((await names(gateway, { query, limit: 25 }, admin)).includes('shelf_configure'))
  assert.deepEqual(await names(gateway, { query: 'shelf_configure' }, viewer), await names(gateway, { query: 'shelf configure' }, viewer))
})

test('the tools that find and call others are not found', async () => {
  await using gateway = await start()
  for (const query of ['tools_search', 'tools_call_read', 'search', 'destructive'])
    assert.deepEqual(
      (await names(gateway, { query })).filter((name) => name.startsWith('tools_')),
      [],
    )
})

test('a query must have something in it, and not too much', async () => {
  await using gateway = await start()
  for (const args of [{}, { query: '' }, { query: 'x'.repeat(501) }, { query: 1 }, { query: 'x', colour: 'red' }])
    await assert.rejects(gateway.call('tools_search', args), { code: 'BAD_REQUEST' })
})
