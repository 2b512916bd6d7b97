import type { Ref } from './ref.ts'
import type { Infer, ObjectSchema } from './schema.ts'

/**
 * Settings of a plugin: `plugins.<plugin id>` in the config file. A property may carry `env: 'NAME'` in its schema; that
 * environment variable then overrides the file. Errors omit the value if the property's name marks it as secret, or `secret:
 * true` does. `operationNames` marks an object whose keys, or a list whose items, name tools or routes: with `'gateway'` those of the
 * gateway, of which a misspelt one is refused; with `'any'` also tools that tenants register later. A name that no tool or route can have
 * is refused in both. Settings are validated strictly and frozen before any plugin code runs.
 */
export interface ConfigRef<S extends ObjectSchema = ObjectSchema> extends Ref<'config', Readonly<Infer<S>>> {
  readonly schema: S
}

/** Declares the settings of a plugin; `id` is by convention the plugin's id. Every setting is optional or has a default. */
export function defineConfig<const S extends ObjectSchema>(id: string, schema: S): ConfigRef<S> {
  return { kind: 'config', id, schema }
}
