import { pathToFileURL } from 'node:url'
import { definePlugin, type Plugin, type PluginSpec } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import { locatePlugin } from './locate.ts'
import { nameExit } from './name-exit.ts'
import { partFaults } from './plugin-shape.ts'

export interface ImportSettings {
  /** Folder in which paths begin and packages are searched. */
  readonly configFolder: string
  readonly startTimeoutMs: number
}

export async function importPlugin(name: string, settings: ImportSettings, builtIn: readonly string[] = []): Promise<Plugin> {
  const file = locatePlugin(name, settings.configFolder, builtIn)
  return asPlugin(await importFile(file, settings.startTimeoutMs), file)
}

async function importFile(file: string, limitMs: number): Promise<{ readonly default?: unknown }> {
  try {
    const imported = () => import(pathToFileURL(file).href) as Promise<{ readonly default?: unknown }>
    return await nameExit(`importing ${file}`, () => withTimeLimit(imported(), limitMs, 'its import'))
  } catch (error) {
    throw new Error(importFault(error, file))
  }
}

function importFault(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `importing ${file} failed: ${String(error)}; ${ONLY_DEFINES}`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ERR_MODULE_NOT_FOUND') return `${message}; install what it imports, or build it`
  if (NO_JAVASCRIPT.has(code)) return `${file} is no JavaScript; name the plugin’s JavaScript file, or its package`
  // This error is also thrown if a package lacks an export; the stack then begins with the place.
  if (error instanceof SyntaxError) {
    const place = /^file:\S+/.exec(error.stack ?? '')?.[0] ?? file
    return `importing ${place} failed: ${message}; correct it, or install the version of what it imports that it was written for`
  }
  // The plugin's own copy of the SDK reports a faulty declaration.
  if (error.name === 'DefinitionError') return `${file} declares something wrongly: ${message}`
  return `importing ${file} failed: ${message}; ${ONLY_DEFINES}`
}

/** The last one is the name of the second from Node 22 on. */
const NO_JAVASCRIPT = new Set<unknown>(['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_IMPORT_ASSERTION_TYPE_MISSING', 'ERR_IMPORT_ATTRIBUTE_MISSING'])
const ONLY_DEFINES = 'a plugin only defines itself when it is imported'

/**
 * Reads a module's export as a plugin of this SDK. Missing parts are filled in, because an older SDK that the plugin brought
 * does not know the newer ones.
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
