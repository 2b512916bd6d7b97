import { closed, defineTool, gatewayHealth, gatewayInfo, Type } from '@gateway/sdk'
import { healthFigures } from '../api.ts'
import { figuresByName } from '../operations/figures.ts'
import { Status } from '../schema.ts'

const figures = (description: string) => Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description })
const bytes = Type.Integer()

export const healthStatus = defineTool({
  name: 'health_status',
  description:
    'Show how the gateway is: uptime, database, vector corpus, active schedules, providers, channels, managed repos, memory. Returns the figures; null where no running family knows.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      status: Status,
      version: Type.String(),
      uptime: Type.Integer({ description: 'Seconds since the start.' }),
      database: Type.Object({ status: Type.String({ description: 'connected or disconnected.' }), health: Status }, closed),
      vectors: figures('Size of the corpus that is searched by meaning.'),
      schedules: figures('How many are active, in the caller’s tenant.'),
      providers: figures('How resilient the providers of models are.'),
      channels: figures('Where notifications go.'),
      repos: figures('How many are managed, in the caller’s tenant.'),
      memory: Type.Object({ rssBytes: bytes, heapUsedBytes: bytes, heapTotalBytes: bytes, externalBytes: bytes }, closed),
    },
    closed,
  ),
  uses: { health: gatewayHealth, gateway: gatewayInfo, contributed: healthFigures },
  async handle(_args, { health, gateway, contributed }, ctx) {
    const [{ status, parts }, figures] = await Promise.all([health.check(), figuresByName(contributed, ctx)])
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    const database = parts.database?.status ?? 'unhealthy'
    return {
      status,
      version: gateway.version,
      uptime: Math.max(0, Math.floor((ctx.now().getTime() - gateway.startedAt.getTime()) / 1_000)),
      database: { status: database === 'unhealthy' ? 'disconnected' : 'connected', health: database },
      ...figures,
      memory: { rssBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal, externalBytes: external },
    }
  },
})
