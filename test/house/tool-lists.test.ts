import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { measureLists } from '../../bench/lists.ts'
import { measureSearch } from '../../bench/search.ts'
import { estimatedTokens } from '../../bench/tokens.ts'
import { toolEntry } from '../../kernel/src/mcp/tool-list.ts'
import { catalogue } from '../../plugins/discovery/test/catalogue.ts'

/** What an agent pays for a list of tools before it has done anything: docs/views.md says which rule keeps it small. */
const MAX_CORE_TOOLS = 30
const MAX_CORE_TOKENS = 6_000
const MAX_TOOL_TOKENS = 1_200

const tools = standardPlugins.flatMap(({ id, tools }) => tools.map((tool) => ({ family: id, tool })))
const coreTools = tools.filter(({ tool }) => tool.listing !== 'default').map(({ tool }) => tool)
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

test('the whole list holds tools of the catalogue and no other', () => {
  const known = new Set(catalogue.map(({ name }) => name))
  const others = tools.filter(({ tool }) => tool.listing !== 'core-only' && !known.has(tool.name)).map(({ tool }) => tool.name)
  assert.deepEqual(others, [])
})

test('the tools in the core list are those the catalogue wants there, and their families are the catalogue’s', () => {
  for (const { name, family, effect, core } of catalogue) {
    const found = tools.find(({ tool }) => tool.name === name)
    if (!found) continue
    const { listing } = found.tool
    assert.deepEqual([found.family, found.tool.effect, listing], [family, effect, core ? 'core' : 'default'], name)
  }
})

test('with every family there, the core list still fits', () => {
  const existing = new Set(tools.map(({ tool }) => tool.name))
  const coming = catalogue.filter(({ name, core }) => core && !existing.has(name))
  // What a definition costs beside its name and description, and what each of its arguments costs: rather much, as those that exist go.
  const guessed = coming.map(({ name, description, args }) => estimatedTokens(`${name}${description}`) + 70 + 40 * args.length)
  const tokens = [...coreTools.map(tokensOf), ...guessed].reduce((sum, one) => sum + one, 0)
  assert.ok(coreTools.length + coming.length <= MAX_CORE_TOOLS)
  assert.ok(tokens <= MAX_CORE_TOKENS, `${tokens} tokens`)
})

test('the tools that exist are found as well as the catalogue’s rows of them', () => {
  const { recallAt5, meanReciprocalRank, missed } = measureSearch(standardPlugins).quality
  const found = `recall@5 ${recallAt5.toFixed(3)}, MRR ${meanReciprocalRank.toFixed(3)}; missed:\n${missed.join('\n')}`
  assert.ok(recallAt5 >= 0.9, found)
  assert.ok(meanReciprocalRank >= 0.78, found)
})
