import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'
import { Connector } from './schema.ts'

const { env: _env, ...fields } = Connector.properties

/** At most a few hundred per tenant, so they are all read at once. */
export const connectors = defineCollection('connectors', {
  schema: Type.Object(
    {
      ...fields,
      /** JSON text, because not every store accepts every header name. */
      envText: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'key',
  indexes: [{ keys: { source: 1 } }],
})
export type Stored = Infer<(typeof connectors)['schema']>

export function shown({ envText, ...connector }: Stored): Connector {
  return { ...connector, ...(envText !== undefined && { env: JSON.parse(envText) as Record<string, string> }) }
}

export function stored({ env, ...connector }: Connector): Stored {
  return { ...connector, ...(env !== undefined && { envText: JSON.stringify(env) }) }
}
