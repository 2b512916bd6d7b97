import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAME = '@xenova/transformers'
export const INSTALL = 'npm run embeddings:install'

/** Finds the library that runs the model: installed next to this package, or where Node resolves it. */
export function findLibrary(folder = packageFolder()): string | undefined {
  const modules = join(folder, 'runtime', 'node_modules')
  const beside = join(modules, NAME, 'src', 'transformers.js')
  // npm writes its list of installed packages last: without it the installation is still in progress.
  if (existsSync(beside)) return existsSync(join(modules, '.package-lock.json')) ? beside : undefined
  try {
    return createRequire(import.meta.url).resolve(NAME)
  } catch {
    return undefined
  }
}

/** dist/ and src/ are equally deep, but bundling moves this file, so the package folder is used. */
function packageFolder(): string {
  return fileURLToPath(new URL('..', import.meta.resolve('@gateway/plugin-embeddings')))
}
