import { deepEqual } from 'node:assert/strict'
import type { Plugin } from '@gateway/sdk'
import { commandChecks } from './command-checks.ts'
import { startTestGateway } from './gateway.ts'
import { houseRules } from './house-rules.ts'
import { pageChecks } from './page-checks.ts'
import { snapshotChecks } from './tool-snapshots.ts'

/** One promise of a plugin; `run` rejects, with a message that says where and what, when it is not kept. */
export interface PluginCheck {
  readonly promise: string
  readonly run: () => Promise<void>
}

/** Where its snapshots are, and what it cannot run without. */
export interface PluginCheckOptions {
  /** Where the tool snapshots are. */
  readonly snapshots: string
  /** The command that writes them, where it is not the tests themselves. */
  readonly writtenBy?: string
  /** The plugins whose services this one requires. */
  readonly with?: readonly Plugin[]
}

const ALARMING = 40

/** What every plugin keeps to: the house rules, a snapshot of each tool, pages and commands, a quiet start and stop. For whoever runs them. */
export function pluginChecks(plugin: Plugin, options: PluginCheckOptions): readonly PluginCheck[] {
  return [
    ...houseRules.map(({ promise, faults }) => ({ promise, run: async () => none(faults(plugin)) })),
    ...snapshotChecks(plugin, options.snapshots, options.writtenBy),
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
