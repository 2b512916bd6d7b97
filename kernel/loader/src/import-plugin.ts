import { pathToFileURL } from 'node:url'
import { definePlugin, type Plugin, type PluginSpec } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import { locatePlugin } from './locate.ts'
import { partFaults } from './plugin-shape.ts'

export interface ImportSettings {
  /** Where paths begin and packages are looked for. */
  readonly configFolder: string
  readonly startTimeoutMs: number
}

/** One plugin by package or path, wherever it is from. */
export async function importPlugin(name: string, settings: ImportSettings, builtIn: readonly string[] = []): Promise<Plugin> {
  const file = locatePlugin(name, settings.configFolder, builtIn)
  return asPlugin(await importFile(file, settings.startTimeoutMs), file)
}

async function importFile(file: string, limitMs: number): Promise<{ readonly default?: unknown }> {
  try {
    const imported = import(pathToFileURL(file).href) as Promise<{ readonly default?: unknown }>
    return await withTimeLimit(imported, limitMs, 'its import')
  } catch (error) {
    throw new Error(importFault(error, file))
  }
}

function importFault(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `importing ${file} failed: ${String(error)}; ${ONLY_DEFINES}`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ERR_MODULE_NOT_FOUND') return `${message}; install what it imports, or build it`
  if (NO_JAVASCRIPT.has(code)) return `${file} is no JavaScript; name the plugin’s JavaScript file, or its package`
  // Also when a package has no export of a name; the stack then begins with the place.
  if (error instanceof SyntaxError) {
    const place = /^file:\S+/.exec(error.stack ?? '')?.[0] ?? file
    return `importing ${place} failed: ${message}; correct it, or install the version of what it imports that it was written for`
  }
  // What the plugin's own copy of the SDK says of a declaration.
  if (error.name === 'DefinitionError') return `${file} declares something wrongly: ${message}`
  return `importing ${file} failed: ${message}; ${ONLY_DEFINES}`
}

/** The last is the second one’s name from Node 22 on. */
const NO_JAVASCRIPT = new Set<unknown>(['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_IMPORT_ASSERTION_TYPE_MISSING', 'ERR_IMPORT_ATTRIBUTE_MISSING'])
const ONLY_DEFINES = 'a plugin only defines itself when it is imported'

/**
 * What a module exports, as a plugin of this SDK. The parts are filled in anew: an SDK older than this one, which the plugin
 * brought with it, knows nothing of the newer ones.
 */
function asPlugin({ default: exported }: { readonly default?: unknown }, file: string): Plugin {
  const advice = '`export default definePlugin({ … })`'
  if (exported === undefined) throw new Error(`${file} has no default export; write ${advice}`)
  if (typeof exported !== 'object' || exported === null) {
    throw new Error(
      `the default export of ${file} is ${exported === null ? 'null' : `a ${typeof exported}`} and no plugin; write ${advice}`,
    )
  }
  const spec = exported as Readonly<Record<string, unknown>>
  const wrong = partFaults(spec)
  if (wrong.length > 0) throw new Error(`the default export of ${file} is no plugin: ${wrong.join(', ')}; write ${advice}`)
  return definePlugin(spec as unknown as PluginSpec)
}
