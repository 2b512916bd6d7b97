/**
 * Writes docs/reference from the code: `npm run references`. With `--check` it writes nothing and fails when a file
 * is not what the code says.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { standardPlugins } from '@gateway/standard'
import { kernelErrors } from '../kernel/src/errors.ts'
import { settingsSchema } from '../kernel/src/settings/settings.ts'
import { configurationReference } from './references/configuration.ts'
import { errorsReference } from './references/errors.ts'
import { toolsReference } from './references/tools.ts'
import { root } from './workspaces.mjs'

/** The generated files by path: what they should hold. */
export function references(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/reference/tools.md', toolsReference(standardPlugins)],
    ['docs/reference/errors.md', errorsReference(kernelErrors, standardPlugins)],
    ['docs/reference/configuration.md', configurationReference(settingsSchema, standardPlugins)],
  ])
}

/** The generated files that are missing or differ from the code. */
export function staleReferences(at: string): string[] {
  const isStale = ([path, text]: [string, string]): boolean => !existsSync(join(at, path)) || readFileSync(join(at, path), 'utf8') !== text
  return [...references()].filter(isStale).map(([path]) => path)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) {
    const stale = staleReferences(root)
    if (stale.length > 0) console.error(`run \`npm run references\`; stale: ${stale.join(', ')}`)
    process.exitCode = stale.length === 0 ? 0 : 1
  } else {
    for (const [path, text] of references()) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
}
