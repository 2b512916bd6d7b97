import type { Figures, Step } from './load.ts'
import { medians } from './median.ts'
import { load, type Server, startGateway, startServer } from './processes.ts'
import type { Plan } from './run.ts'

export type Face = 'bare' | 'rest' | 'mcp' | 'sdk'

const CONNECTIONS = 64
const rpc = (name: string, args: object): object => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
const args = { repo: 'quiet' }

/** The same cheap read (no task is pending in the repo asked for) over each face, and the two servers it is compared with. */
const requests: Record<Face, Pick<Step, 'path' | 'body' | 'expect'>> = {
  bare: { path: '/', body: args, expect: '"task":null' },
  rest: { path: '/api/tools/tasks_next', body: args, expect: '"task":null' },
  mcp: { path: '/mcp', body: rpc('tasks_next', args), expect: '"task":null' },
  sdk: { path: '/mcp', body: rpc('tool_94', args), expect: '"task":null' },
}

export async function measureFaces({ seconds, rounds, folder }: Plan): Promise<Record<Face, Figures>> {
  const [gateway, bare, sdk] = await Promise.all([startGateway(folder()), startServer('bare'), startServer('sdk')])
  const servers: Record<Face, Server> = { bare, rest: gateway, mcp: gateway, sdk }
  const faces = Object.keys(requests) as Face[]
  const measured: Record<Face, Figures[]> = { bare: [], rest: [], mcp: [], sdk: [] }
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const face of faces) {
        const steps = [
          { ...requests[face], seconds: Math.min(seconds, 2) },
          { ...requests[face], seconds, name: face },
        ]
        const figures = (await load({ port: servers[face].port, connections: CONNECTIONS, steps }))[face]
        if (figures !== undefined) measured[face].push(figures)
      }
    }
  } finally {
    await Promise.all([gateway.stop(), bare.stop(), sdk.stop()])
  }
  return { bare: medians(measured.bare), rest: medians(measured.rest), mcp: medians(measured.mcp), sdk: medians(measured.sdk) }
}
