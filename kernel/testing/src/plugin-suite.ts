import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Plugin } from '@gateway/sdk'
import { pluginChecks } from './plugin-checks.ts'

/** Folder of the plugin's snapshots, and the plugins it needs. */
export interface PluginSuiteOptions {
  /** Folder of the calling test, `import.meta.dirname`. Tool snapshots are kept in `__snapshots__` below it. */
  readonly folder: string
  /** Plugins whose services this one requires. */
  readonly with?: readonly Plugin[]
}

/** Registers the tests every plugin passes: the project rules, a snapshot of each tool, a quiet start and stop. */
export function pluginSuite(plugin: Plugin, { folder, ...options }: PluginSuiteOptions): void {
  describe(`plugin '${plugin.id}'`, () => {
    for (const { promise, run } of pluginChecks(plugin, { snapshots: join(folder, '__snapshots__'), ...options })) test(promise, run)
  })
}
