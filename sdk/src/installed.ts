import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** A plugin and the outcome of its start. */
export const installedPluginSchema = Type.Object(
  {
    id: Type.String(),
    description: Type.Optional(Type.String()),
    outcome: Type.Enum(['started', 'failed', 'off'], { description: 'off: disabled in the config file.' }),
    milliseconds: Type.Number({ description: 'Duration of its start.' }),
    tools: Type.Integer(),
    error: Type.Optional(Type.String({ description: 'Reason it did not start.' })),
    settings: Type.Object(
      {},
      { description: 'Settings in effect, from the config file, the environment and defaults; secrets are hidden.' },
    ),
  },
  closed,
)
/** A plugin and the outcome of its start. */
export type InstalledPlugin = Infer<typeof installedPluginSchema>

/** The plugins of this gateway, including disabled and failed ones. */
export interface InstalledPlugins {
  list(): readonly InstalledPlugin[]
}
/** Provided by the kernel. It reveals the gateway's configuration, so it is for the operator. */
export const installedPlugins = defineService<InstalledPlugins>('gateway.installed-plugins', 'process')
