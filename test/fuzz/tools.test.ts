import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { isToolError } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { checkIntegrity } from '../../kernel/storage-sqlite/src/index.ts'
import { seeded, upTo } from '../crash/powercut/random.ts'
import { argumentsFor, type InputSchema } from './arguments.ts'
import { pick } from './messages.ts'

/**
 * Like MCP: FUZZ sets the number of calls, FUZZ_SEED repeats a run; FUZZ_TOOLS=^brain_ selects the tools whose names match it.
 */
const CALLS = Number(process.env.FUZZ ?? 3_000)
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
const TOOLS = new RegExp(process.env.FUZZ_TOOLS ?? '')
const AT_ONCE = 4
const MAX_SEEN = 300

it(`${CALLS} calls of all tools with odd arguments: no fault of ours, and a sound store (seed ${SEED})`, {
  timeout: 1_200_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-fuzz-'))
  const gateway = await startTestGateway({ plugins: standardPlugins, dataDir })
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => callTools(gateway, CALLS / AT_ONCE, SEED * AT_ONCE + n)))
  } finally {
    await gateway.stop()
  }
  const collections = standardPlugins.flatMap((plugin) => plugin.collections)
  const file = join(dataDir, 'store', 'gateway.db')
  if (existsSync(file)) assert.deepEqual(await checkIntegrity(file, collections), [])
  rmSync(dataDir, { recursive: true })
})

it(`${CALLS} calls of all routes with odd arguments: no fault of ours (seed ${SEED})`, { timeout: 1_200_000 }, async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => callRoutes(gateway, CALLS / AT_ONCE, SEED * AT_ONCE + n)))
})

/** Raw routes have their own protocols and tests. */
const routes = standardPlugins.flatMap((plugin) => plugin.routes.filter((route) => !('raw' in route)))

async function callRoutes(gateway: TestGateway, calls: number, seed: number): Promise<void> {
  const random = seeded(seed)
  const seen: string[] = []
  for (let n = 0; n < calls; n++) {
    const { name, input } = pick(random, routes)
    const args = argumentsFor(random, input as InputSchema, seen)
    gateway.clock.advance(upTo(random, 600))
    const said = (what: unknown): string => `${name} ${JSON.stringify(args).slice(0, 2_000)}: ${String(what).slice(0, 500)}`
    try {
      const answer: unknown = await gateway.call(name, args as object)
      for (const text of textsIn(answer)) if (seen.length < MAX_SEEN) seen.push(text)
    } catch (error) {
      assert.ok(isToolError(error) && error.code !== 'INTERNAL_ERROR', said(error))
    }
  }
}

async function callTools(gateway: TestGateway, calls: number, seed: number): Promise<void> {
  const random = seeded(seed)
  const tools = standardPlugins.flatMap((plugin) => plugin.tools).filter(({ name }) => TOOLS.test(name))
  const seen: string[] = []
  for (let n = 0; n < calls; n++) {
    const { name, input } = pick(random, tools)
    const body = argumentsFor(random, input as InputSchema, seen)
    gateway.clock.advance(upTo(random, 600))
    const answer = await gateway.inject({ method: 'POST', url: `/api/tools/${name}`, body })
    const said = `${name} ${JSON.stringify(body).slice(0, 2_000)}: ${answer.status} ${answer.body.slice(0, 500)}`
    assert.ok(answer.status < 500 || answer.status === 503, `${said}\n${JSON.stringify(gateway.logs.findLast(isFault))}`)
    // Matches JSON's escape of half a surrogate pair; an escaped backslash does not count.
    assert.doesNotMatch(answer.body.replaceAll('\\\\', ''), /\\u[dD][89a-fA-F]/, said)
    if (answer.status < 300) for (const text of textsIn(answer.json())) if (seen.length < MAX_SEEN) seen.push(text)
  }
}

const isFault = (line: Readonly<Record<string, unknown>>): boolean => (line.level as number) >= 50

/** Returns ids, cursors and names: short texts of an answer. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value !== '' && value.length <= 200 ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
