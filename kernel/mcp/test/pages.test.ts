import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import { transportFixture } from '../../http/test/transport-plugin.ts'
import { pages } from '../src/pages.ts'
import { post, request } from './rpc.ts'
import { talkFixture } from './talk-plugin.ts'

const entries = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}` }))

function walk(list: ReturnType<typeof pages>): object[][] {
  const seen: object[][] = []
  let cursor: string | undefined
  do {
    const page = JSON.parse(list({ cursor }).toString()) as { things: object[]; nextCursor?: string }
    seen.push(page.things)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return seen
}

test('cursors lead through every entry once, in order, on full pages', () => {
  for (const [count, size] of [
    [0, 3],
    [1, 3],
    [3, 3],
    [4, 3],
    [9, 3],
    [10, 1],
  ] as const) {
    const seen = walk(pages('things', entries(count), size))
    assert.deepEqual(seen.flat(), entries(count))
    assert.equal(seen.length, Math.max(1, Math.ceil(count / size)))
  }
})

test('a list of one page has no cursor, and its bytes are always the same', () => {
  const list = pages('things', entries(3), 3)
  assert.equal(list({}), list({}))
  assert.deepEqual(JSON.parse(list({}).toString()), { things: entries(3) })
})

test('a cursor of another list is refused, and so is one of this list before it changed', () => {
  const next = (list: ReturnType<typeof pages>) => JSON.parse(list({}).toString()).nextCursor as string
  const list = pages('things', entries(5), 2)
  const foreign = [
    next(pages('others', entries(5), 2)),
    next(pages('things', entries(6), 2)),
    next(pages('things', entries(5).reverse(), 2)),
  ]
  for (const cursor of [...foreign, '1', 'toString', `${next(list)}x`, 1, {}, []]) {
    assert.throws(() => list({ cursor }), { code: -32602, message: /nextCursor of this list/ })
  }
  assert.doesNotThrow(() => list({ cursor: next(list) }))
})

test('a cursor that is empty or null begins at the start', () => {
  const list = pages('things', entries(5), 2)
  for (const cursor of ['', null, undefined]) assert.equal(list({ cursor }), list({}))
})

test('GATEWAY_MCP_PAGE_SIZE cuts every list into pages of its size', async () => {
  const plugins = [transportFixture().plugin, talkFixture().plugin]
  await using whole = await startTestGateway({ plugins, listen: true })
  await using cut = await startTestGateway({ plugins, listen: true, env: { GATEWAY_MCP_PAGE_SIZE: '1' } })
  for (const [method, member] of [
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ] as const) {
    const all = (await post(whole, request(method))).json.result
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const { result } = (await post(cut, request(method, { cursor }))).json
      assert.equal(result[member].length, 1)
      seen.push(...result[member])
      cursor = result.nextCursor
    } while (cursor !== undefined)
    assert.deepEqual({ [member]: seen }, all)
    assert.ok(seen.length > 1)
  }
})
