import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** A plugin, and how its start went. */
export const installedPluginSchema = Type.Object(
  {
    id: Type.String(),
    description: Type.Optional(Type.String()),
    outcome: Type.Enum(['started', 'failed', 'off'], { description: 'off: switched off in the config file.' }),
    milliseconds: Type.Number({ description: 'Its start took so long.' }),
    tools: Type.Integer(),
    error: Type.Optional(Type.String({ description: 'Why it did not start.' })),
    settings: Type.Object({}, { description: 'What it runs with: of the config file, the environment and defaults, secrets hidden.' }),
  },
  closed,
)
/** A plugin, and how its start went. */
export type InstalledPlugin = Infer<typeof installedPluginSchema>

/** The plugins of this gateway, those that are switched off or failed included. */
export interface InstalledPlugins {
  list(): readonly InstalledPlugin[]
}
/** Provided by the kernel; it tells how the gateway is set up, so it is for the operator. */
export const installedPlugins = defineService<InstalledPlugins>('gateway.installed-plugins', 'process')
