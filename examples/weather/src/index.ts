import { closed, defineCollection, defineConfig, definePlugin, defineTool, Type, Unavailable } from '@gateway/sdk'
import { fetchReading } from './service.ts'

const config = defineConfig(
  'weather',
  Type.Object(
    {
      baseUrl: Type.Optional(Type.String({ pattern: '^https?://', env: 'WEATHER_URL', description: 'Address of the weather service.' })),
      cacheSeconds: Type.Integer({ default: 600, minimum: 0, description: 'Time for which a reading is cached.' }),
      timeoutMs: Type.Integer({ default: 5_000, minimum: 1, description: 'Timeout of the service.' }),
    },
    closed,
  ),
)

const Reading = Type.Object({ place: Type.String(), celsius: Type.Number(), sky: Type.String(), readAt: Type.String() }, closed)
const readings = defineCollection('weather.readings', {
  schema: Reading,
  key: 'place',
  indexes: [{ keys: { readAt: 1 }, expireAfterSeconds: 86_400 }],
})

const now = defineTool({
  name: 'weather_now',
  description:
    'Look up the weather of a place. Returns temperature and sky; `fresh` is false for an older reading, when the service is down.',
  capability: 'read',
  effect: 'read',
  openWorld: true,
  rest: 'GET /api/weather/:place',
  input: Type.Object({ place: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ reading: Reading, fresh: Type.Boolean() }),
  uses: { config, readings },
  async handle({ place }, { config, readings }, ctx) {
    if (config.baseUrl === undefined) {
      throw Unavailable({
        message: 'No weather service is configured: set baseUrl of the plugin weather, or WEATHER_URL.',
        setting: 'baseUrl',
      })
    }
    const key = place.toLowerCase()
    const known = await readings.get(key)
    const age = known === undefined ? Number.POSITIVE_INFINITY : ctx.now().getTime() - Date.parse(known.readAt)
    if (known !== undefined && age < config.cacheSeconds * 1000) return { reading: known, fresh: true }
    try {
      const { celsius, sky } = await fetchReading(config.baseUrl, key, config.timeoutMs, ctx.signal)
      const readAt = ctx.now().toISOString()
      return { reading: await readings.upsert({ place: key, celsius, sky, readAt }, { set: { celsius, sky, readAt } }), fresh: true }
    } catch (error) {
      ctx.log.warn('the weather service failed', { place, error: String(error) })
      if (known !== undefined) return { reading: known, fresh: false }
      throw Unavailable({
        message: `The weather service at ${config.baseUrl} gave no reading of ${place}; try again later.`,
        retryAfterSeconds: 60,
      })
    }
  },
})

export default definePlugin({
  id: 'weather',
  sdk: '^1.0.0',
  description: 'Asks a weather service, and caches its readings.',
  config,
  collections: [readings],
  tools: [now],
})
