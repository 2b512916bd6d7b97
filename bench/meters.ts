import { Agent, request } from 'node:http'
import { Metrics, silent } from '@gateway/metrics'
import slo from '@gateway/plugin-slo'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { inTurn } from './in-turn.ts'
import { median } from './median.ts'
import type { Plan } from './plan.ts'

/** Medians, ms, of one call of `tasks_next` with and without the meters, and the meters' share of it. */
export interface MeterFigures {
  readonly metered: number
  readonly bare: number
  readonly share: number
}

const TOOL = 'tasks_next'

/** A gateway without measurements: its instruments do nothing, and no family observes calls for objectives. */
async function startBare(): Promise<TestGateway> {
  const { of } = Metrics.prototype
  Metrics.prototype.of = (() => silent) as never
  try {
    return await startTestGateway({ plugins: standardPlugins.filter(({ id }) => id !== slo.id && id !== 'canary'), listen: true })
  } finally {
    Metrics.prototype.of = of
  }
}

/**
 * Measures the cost of the meters per call, over MCP and HTTP: both gateways in turn, call by call, so that they meet the same
 * machine.
 */
export async function measureMeters({ seconds, rounds }: Pick<Plan, 'seconds' | 'rounds'>): Promise<MeterFigures> {
  await using metered = await startTestGateway({ plugins: standardPlugins, listen: true })
  await using bare = await startBare()
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  try {
    const found: Awaited<ReturnType<typeof inTurn<'metered' | 'bare'>>>[] = []
    for (let round = 0; round < rounds; round++)
      found.push(await inTurn(seconds, { metered: () => call(metered.url, agent), bare: () => call(bare.url, agent) }))
    const of = (which: 'metered' | 'bare'): number => median(found.map((one) => one[which]))
    return { metered: of('metered'), bare: of('bare'), share: median(found.map((one) => 1 - one.bare / one.metered)) }
  } finally {
    agent.destroy()
  }
}

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: TOOL, arguments: { repo: 'quiet' } } })
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'content-length': BODY.length }

function call(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/mcp`, { method: 'POST', agent, headers: HEADERS }, (response) => {
      response.resume().once('end', resolve).once('error', reject)
    })
    sent.once('error', reject).end(BODY)
  })
}

export const metersMarkdown = ({ metered, bare, share }: MeterFigures): string =>
  `One \`${TOOL}\` over MCP takes ${(metered * 1_000).toFixed(1)} µs with all meters and ${(bare * 1_000).toFixed(1)} µs without any, measured in turn: the meters are ${(share * 100).toFixed(1)} % of the path.`
