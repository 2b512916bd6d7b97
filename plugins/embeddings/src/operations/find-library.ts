import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAME = '@xenova/transformers'
export const INSTALL = 'npm run embeddings:install'

/** Where the library that runs the model is: installed beside this package, or wherever Node finds it. */
export function findLibrary(folder = packageFolder()): string | undefined {
  const modules = join(folder, 'runtime', 'node_modules')
  const beside = join(modules, NAME, 'src', 'transformers.js')
  // npm writes its list of what is installed last: without it the installation is still under way.
  if (existsSync(beside)) return existsSync(join(modules, '.package-lock.json')) ? beside : undefined
  try {
    return createRequire(import.meta.url).resolve(NAME)
  } catch {
    return undefined
  }
}

/** dist/ and src/ lie equally deep, but bundling moves this file: so the folder is that of the package. */
function packageFolder(): string {
  return fileURLToPath(new URL('..', import.meta.resolve('@gateway/plugin-embeddings')))
}
