import { closed, defineRoute, gatewayInfo, Type } from '@gateway/sdk'

export const events = defineRoute({
  name: 'webhooks.events',
  description:
    'List the public events that webhooks may subscribe to, each with the JSON Schema of its data. Returns them by name. Needs `configure`.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/webhooks/events',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      events: Type.Array(
        Type.Object(
          {
            event: Type.String(),
            description: Type.String(),
            plugin: Type.String(),
            schema: Type.Object({}, { additionalProperties: true, description: 'Schema of `data` in a delivery.' }),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  uses: { gateway: gatewayInfo },
  async handle(_, { gateway }) {
    const events = [...gateway.publicEvents()].map(([event, { payload, ...about }]) => ({ event, ...about, schema: payload as object }))
    return { events: events.sort((a, b) => (a.event < b.event ? -1 : 1)) }
  },
})
