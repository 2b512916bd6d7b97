import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAME = '@xenova/transformers'
export const INSTALL = 'npm run embeddings:install'

/** Where the library that runs the model is: installed beside this package, or wherever Node finds it. */
export function findLibrary(): string | undefined {
  // dist/ and src/ lie equally deep; bundling keeps this file's place in neither, so the folder is looked for from the package.
  const beside = join(packageFolder(), 'runtime', 'node_modules', NAME, 'src', 'transformers.js')
  if (existsSync(beside)) return beside
  try {
    return createRequire(import.meta.url).resolve(NAME)
  } catch {
    return undefined
  }
}

function packageFolder(): string {
  return fileURLToPath(new URL('..', import.meta.resolve('@gateway/plugin-embeddings')))
}
