import type { Ref } from './ref.ts'
import type { Infer, ObjectSchema } from './schema.ts'

/**
 * Settings of a plugin: `plugins.<plugin id>` in the config file. A property may carry `env: 'NAME'` in its schema; that
 * environment variable then overrides the file. Errors omit the value if the property's name marks it as secret, or `secret:
 * true` does. `operationNames: true` marks an object whose keys, or a list whose items, name tools or routes: a misspelt one is
 * refused, and so is one that no tool or route can have; any other may be a tool that a tenant registers later, or belong to a plugin
 * that is switched off. Settings are validated strictly and frozen before any plugin code runs.
 */
export interface ConfigRef<S extends ObjectSchema = ObjectSchema> extends Ref<'config', Readonly<Infer<S>>> {
  readonly schema: S
}

/** Declares the settings of a plugin; `id` is by convention the plugin's id. Every setting is optional or has a default. */
export function defineConfig<const S extends ObjectSchema>(id: string, schema: S): ConfigRef<S> {
  return { kind: 'config', id, schema }
}
