import type { Ref } from './ref.ts'
import type { Infer, ObjectSchema } from './schema.ts'

/**
 * A plugin’s settings: `plugins.<plugin id>` in the config file. A property may carry `env: 'NAME'` in its
 * schema: that environment variable then overrides the file. What is wrong is
 * said without the value where the property’s name says that it is a secret, or `secret: true` does. Validated strictly and frozen before any plugin code runs.
 */
export interface ConfigRef<S extends ObjectSchema = ObjectSchema> extends Ref<'config', Readonly<Infer<S>>> {
  readonly schema: S
}

/** Declare the settings of a plugin; `id` is by custom the plugin’s id. Every setting is optional or has a default. */
export function defineConfig<const S extends ObjectSchema>(id: string, schema: S): ConfigRef<S> {
  return { kind: 'config', id, schema }
}
