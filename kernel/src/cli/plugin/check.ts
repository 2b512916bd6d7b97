import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, SDK_VERSION } from '@gateway/sdk'
import { holdAgainstSnapshot, type PluginCheck, pluginChecks } from '@gateway/sdk/testing'
import { importPlugin } from '../../boot/load.ts'
import { plan } from '../../boot/plan.ts'
import { neededPlugins } from '../../boot/uses.ts'
import { CliError, EXIT } from '../exit.ts'

export interface CheckOutcome {
  readonly promise: string
  /** What is wrong and where; absent when the promise is kept. */
  readonly fault?: string
}

const IMPORT_LIMIT_MS = 10_000

/** Hold a built package against what every plugin keeps to, beside the plugins of this distribution that it needs. */
export async function checkPlugin(options: {
  readonly folder: string
  readonly builtIn: readonly Plugin[]
  /** Write the snapshots of its tools anew. */
  readonly update: boolean
}): Promise<{ readonly id: string; readonly outcomes: readonly CheckOutcome[] }> {
  const { folder, builtIn } = options
  const others = (plugin: Plugin): readonly Plugin[] => builtIn.filter(({ id }) => id !== plugin.id)
  const plugin = await importPlugin(folder, { configFolder: folder, startTimeoutMs: IMPORT_LIMIT_MS }).catch((error: unknown) => {
    throw new CliError(EXIT.failure, `The plugin cannot be loaded: ${(error as Error).message}.`)
  })
  const snapshots = join(folder, 'test', '__snapshots__')
  if (options.update) for (const tool of plugin.tools) await holdAgainstSnapshot(tool, snapshots, { update: true })
  const checks: readonly PluginCheck[] = [
    { promise: 'its package can be installed and imported', run: () => checkPackage(folder) },
    {
      promise: 'names, ids, schemas, tenancy and what it uses fit together with the plugins of this gateway',
      run: async () => void plan([...others(plugin), plugin]),
    },
    ...pluginChecks(plugin, { snapshots, with: neededPlugins(plugin, others(plugin)) }),
  ]
  const outcomes: CheckOutcome[] = []
  for (const { promise, run } of checks) {
    const fault = await run().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    outcomes.push({ promise, ...(fault !== undefined && { fault }) })
  }
  return { id: plugin.id, outcomes }
}

/** What a stranger’s `npm install` and `import` rely on. */
async function checkPackage(folder: string): Promise<void> {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) throw new Error(`${folder} has no package.json`)
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>
  const faults: string[] = []
  for (const field of ['name', 'version', 'license']) if (typeof manifest[field] !== 'string') faults.push(`${field} is missing`)
  if (manifest.type !== 'module') faults.push('type must be "module": the gateway imports ES modules')
  const named = { ...(manifest.dependencies as object), ...(manifest.peerDependencies as object) }
  if (!('@gateway/sdk' in named)) faults.push(`dependencies must name @gateway/sdk, whose contract here is ${SDK_VERSION}`)
  if ('@gateway/kernel' in named) faults.push('@gateway/kernel is for tests: it belongs in devDependencies')
  if (faults.length > 0) throw new Error(faults.map((fault) => `${file}: ${fault}`).join('\n'))
}
