import { type CuratedConnector, curatedConnector } from '@gateway/plugin-connectors/api'
import { contribute, definePlugin } from '@gateway/sdk'

export default definePlugin({
  id: 'weather-connector',
  sdk: '^1.0.0',
  description: 'Brings a connector to the curated set: a weather server of this organization.',
  contributes: [
    contribute(curatedConnector, {
      create: (): CuratedConnector => ({
        key: 'weather',
        label: 'Weather',
        category: 'custom',
        description: 'Forecasts and warnings.',
        transport: 'http',
        url: 'https://weather.example.com/mcp',
        env: { Authorization: 'Bearer ${WEATHER_TOKEN}' },
      }),
    }),
  ],
})
