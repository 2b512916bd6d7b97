import type { Plugin } from '@gateway/sdk'

/** A promise that each plugin keeps, and the check of it. */
export interface PluginCheck {
  readonly promise: string
  readonly run: () => Promise<void>
}

/** Folder of the plugin's snapshots, and the plugins it needs. */
export interface PluginCheckOptions {
  readonly snapshots: string
  /** Command that rewrites them, for the reader of the fault. */
  readonly snapshotCommand?: string
  /** Plugins whose services this one requires. */
  readonly with?: readonly Plugin[]
}
