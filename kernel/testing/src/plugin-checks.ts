import { deepEqual } from 'node:assert/strict'
import { defined, type Plugin } from '@gateway/sdk'
import { commandChecks } from './command-checks.ts'
import { startTestGateway } from './gateway.ts'
import { houseRules } from './house-rules.ts'
import { pageChecks } from './page-checks.ts'
import type { PluginCheck, PluginCheckOptions } from './plugin-check.ts'
import { snapshotChecks } from './tool-snapshots.ts'

/** Promise of a plugin; `run` rejects, with a message that says where and what, when it is not kept. */
const ALARMING = 40

/**
 * Returns the checks for every plugin, for any test runner: the project rules, a snapshot of each tool, pages and commands, a quiet
 * start and stop.
 */
export function pluginChecks(plugin: Plugin, options: PluginCheckOptions): readonly PluginCheck[] {
  return [
    ...houseRules.map(({ promise, faults }) => ({ promise, run: async () => none(faults(plugin)) })),
    ...snapshotChecks(plugin, options.snapshots, defined({ command: options.snapshotCommand })),
    ...pageChecks(plugin, options),
    ...commandChecks(plugin),
    {
      promise: 'it starts with what it needs and nothing else, and stops, without a warning',
      async run() {
        const gateway = await startTestGateway({ plugins: [...(options.with ?? []), plugin] })
        await gateway.stop()
        deepEqual(
          gateway.logs.filter(({ level }) => Number(level) >= ALARMING),
          [],
        )
      },
    },
  ]
}

function none(faults: readonly string[]): void {
  deepEqual(faults, [], faults.join('\n'))
}
