import type { Plugin } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { KernelPart } from './adapters.ts'
import { configure } from './config.ts'
import { BootError } from './faults.ts'
import { type Loaded, loadPlugins } from './load.ts'
import { type Plan, plan } from './plan.ts'

export interface Prepared extends Plan {
  /** The loaded plugins in the order that callers see; `plugins` is in start order. */
  readonly loaded: Loaded
  readonly configs: ReadonlyMap<string, unknown>
}

/** Loads, plans and configures: finds every fault that can be found before plugin code runs, and throws them as one BootError. */
export async function preparePlugins(
  builtIn: readonly Plugin[],
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  parts: readonly KernelPart[],
): Promise<Prepared> {
  const loaded = await loadPlugins(builtIn, settings)
  const faults = [...loaded.faults]
  const collecting = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof BootError)) throw error
      faults.push(...error.faults)
      return undefined
    }
  }
  const planned = collecting(() => plan(loaded.plugins, { off: loaded.off, incomplete: faults.length > 0, parts }))
  const configs = collecting(() => configure(loaded.plugins, loaded.given, env))
  if (planned === undefined || configs === undefined || faults.length > 0) throw new BootError(faults)
  return { ...planned, loaded, configs }
}
