import { deepEqual } from 'node:assert/strict'
import { defined, type Plugin } from '@gateway/sdk'
import { commandChecks } from './command-checks.ts'
import { startTestGateway } from './gateway.ts'
import { houseRules } from './house-rules.ts'
import { pageChecks } from './page-checks.ts'
import { snapshotChecks } from './tool-snapshots.ts'

/** Promise of a plugin; `run` rejects, with a message that says where and what, when it is not kept. */
export interface PluginCheck {
  readonly promise: string
  readonly run: () => Promise<void>
}

/** Folder of the plugin's snapshots, and the plugins it needs. */
export interface PluginCheckOptions {
  /** Folder of the tool snapshots. */
  readonly snapshots: string
  /** Command that rewrites them, for the reader of the fault. */
  readonly snapshotCommand?: string
  /** Plugins whose services this one requires. */
  readonly with?: readonly Plugin[]
}

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
