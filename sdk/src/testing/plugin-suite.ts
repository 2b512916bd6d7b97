import { deepEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Plugin } from '../plugin.ts'
import { startTestGateway } from './gateway.ts'
import { houseRules } from './house-rules.ts'
import { toolSnapshots } from './tool-snapshots.ts'

export interface PluginSuiteOptions {
  /** The folder of the calling test, `import.meta.dirname`. Tool snapshots are kept in `__snapshots__` below it. */
  readonly folder: string
  /** The plugins whose services this one requires. */
  readonly with?: readonly Plugin[]
}

const ALARMING = 40

/** Register the tests every plugin passes: the house rules, a snapshot of each tool, a quiet start and stop. */
export function pluginSuite(plugin: Plugin, options: PluginSuiteOptions): void {
  describe(`plugin '${plugin.id}'`, () => {
    for (const { promise, faults } of houseRules) {
      test(promise, () => deepEqual(faults(plugin), []))
    }

    toolSnapshots(plugin, join(options.folder, '__snapshots__'))

    test('it starts with what it needs and nothing else, and stops, without a warning', async () => {
      const gateway = await startTestGateway({ plugins: [...(options.with ?? []), plugin] })
      await gateway.stop()
      deepEqual(
        gateway.logs.filter(({ level }) => Number(level) >= ALARMING),
        [],
      )
    })
  })
}
