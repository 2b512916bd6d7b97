import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { type GatewayProcess, warmGateway } from '../crash/gateway/spawn.ts'
import { longValues, type Room, type Schema } from './arguments.ts'
import { seedSamples } from './samples.ts'
import { SHAPES } from './shapes.ts'

/** The largest body of a call. LONGEST=8388608 uses the full length that each argument's schema allows, and takes much longer. */
const BYTES = Number(process.env.LONGEST ?? 262_144)
/** LONG_TOOLS=^state_ selects the tools whose names match it. */
const TOOLS = new RegExp(process.env.LONG_TOOLS ?? '')
const VALUES = 19_000
const MIB = 2 ** 20
/** A call that is refused when its arguments are validated: its only cost is reading its body. */
const REFUSED = 'tasks_list'
/** A turn may take this many times as long as reading the body, or a body of a mebibyte if that is larger. */
const READINGS = 8
const TRIES = 5
const skip = existsSync('/proc/self/task') ? false : 'the CPU time of a thread is only known on Linux'

it('no argument of any tool, however long and of whatever shape, holds the event loop', { skip, timeout: 1_200_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-event-loop-'))
  const env = { GATEWAY_PORT: '0', GATEWAY_DATA_DIR: dataDir, SYNTHETIC_CANARY_DISABLED: '1', GATEWAY_EMBEDDINGS: 'off' }
  const gateway = await warmGateway().start(env)
  try {
    const samples = await seedSamples(async (tool, args) => {
      const { status, body } = await call(gateway, tool, JSON.stringify(args))
      assert.ok(status < 300, `${tool}: ${body}`)
      return JSON.parse(body) as unknown
    })
    const limit = await limitOf(gateway)
    const slow: string[] = []
    for (const request of requests(samples)) {
      const { tool, what, body } = request
      const { longest, status } = await longestBlock(gateway, tool, body, limit)
      if (longest > limit(body.length))
        slow.push(`${tool}${what}: ${ms(longest)} of ${ms(limit(body.length))} ms (${status}, ${body.length} bytes)`)
    }
    assert.deepEqual(slow, [])
  } finally {
    await gateway.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

const ms = (nanoseconds: number): string => (nanoseconds / 1e6).toFixed(1)

interface Request {
  readonly tool: string
  /** The argument and its shape. */
  readonly what: string
  readonly body: string
}

function* requests(samples: Room['samples']): Generator<Request> {
  for (const { name: tool, input, bodyLimitBytes = MIB } of standardPlugins.flatMap(({ tools }) => tools)) {
    if (!TOOLS.test(tool)) continue
    const room = { bytes: Math.min(BYTES, Math.max(bodyLimitBytes, MIB) - 1_000), values: VALUES, samples }
    const seen = new Set<string>()
    for (const [shape, part] of Object.entries(SHAPES))
      for (const { path, value } of longValues(input as Schema, part, room)) {
        const body = JSON.stringify(value)
        if (!seen.has(body)) yield { tool, what: `${path} as ${shape}`, body }
        seen.add(body)
      }
  }
}

/** Most calls take less in total than the limit of one turn, and are not measured by turns. */
async function longestBlock(gateway: GatewayProcess, tool: string, body: string, limit: (bytes: number) => number) {
  const before = gateway.cpu()
  const { status } = await call(gateway, tool, body)
  let longest = gateway.cpu() - before
  // A turn may contain a garbage collection or a compilation that another call caused.
  for (let n = 0; n < TRIES && longest > limit(body.length); n++)
    longest = Math.min(longest, await gateway.longestBlock(() => call(gateway, tool, body)))
  return { longest, status }
}

/** Returns the CPU time that a turn may take for a body of some bytes. */
async function limitOf(gateway: GatewayProcess): Promise<(bytes: number) => number> {
  const costs: number[] = []
  for (let n = 0; n < 3; n++)
    for (const part of Object.values(SHAPES)) {
      const body = JSON.stringify({ [REFUSED]: part.repeat(MIB / part.length) }).slice(0, MIB - 1_000)
      costs.push(await gateway.longestBlock(() => call(gateway, REFUSED, `${body}"}`)))
    }
  const median = costs.sort((a, b) => a - b)[Math.floor(costs.length / 2)] as number
  return (bytes) => READINGS * median * Math.max(1, bytes / MIB)
}

async function call({ url }: GatewayProcess, tool: string, body: string): Promise<{ readonly status: number; readonly body: string }> {
  const answer = await fetch(`${url}/api/tools/${tool}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { status: answer.status, body: await answer.text() }
}
