import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { measureLists } from '../../bench/lists.ts'
import { estimatedTokens } from '../../bench/tokens.ts'
import { toolEntry } from '../../kernel/mcp/src/tool-list.ts'
import { catalogue } from '../catalogue/catalogue.ts'

/** Cost to an agent of a list of tools before any work: docs/views.md has the rule that keeps it small. */
const MAX_CORE_TOOLS = 30
const MAX_CORE_TOKENS = 6_000
const MAX_TOOL_TOKENS = 1_200

const tools = standardPlugins.flatMap(({ id, tools }) => tools.map((tool) => ({ family: id, tool })))
const coreTools = tools.filter(({ tool }) => tool.listing === 'core' || tool.listing === 'core-only').map(({ tool }) => tool)
const tokensOf = (tool: (typeof coreTools)[number]): number => estimatedTokens(JSON.stringify(toolEntry(tool)))

test(`the core list has at most ${MAX_CORE_TOOLS} tools and ${MAX_CORE_TOKENS} tokens`, () => {
  const core = measureLists(standardPlugins).find(({ address }) => address === '/mcp/core')
  assert.ok(core)
  assert.equal(core.tools, coreTools.length)
  assert.ok(core.tools <= MAX_CORE_TOOLS, `${core.tools} tools`)
  assert.ok(core.tokens <= MAX_CORE_TOKENS, `${core.tokens} tokens`)
})

test(`no tool’s definition costs more than ${MAX_TOOL_TOKENS} tokens`, () => {
  const large = tools.filter(({ tool }) => tokensOf(tool) > MAX_TOOL_TOKENS).map(({ tool }) => `${tool.name}: ${tokensOf(tool)}`)
  assert.deepEqual(large, [])
})

test('with every family there, the core list still fits', () => {
  const existing = new Set(tools.map(({ tool }) => tool.name))
  const coming = catalogue.filter(({ name, core }) => core && !existing.has(name))
  // Cost of a definition in addition to its name and description, and of each argument: a high estimate, compared with existing
  // tools.
  const guessed = coming.map(({ name, description, args }) => estimatedTokens(`${name}${description}`) + 70 + 40 * args.length)
  const tokens = [...coreTools.map(tokensOf), ...guessed].reduce((sum, one) => sum + one, 0)
  assert.ok(coreTools.length + coming.length <= MAX_CORE_TOOLS)
  assert.ok(tokens <= MAX_CORE_TOKENS, `${tokens} tokens`)
})
