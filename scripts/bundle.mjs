import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { filesUnder, root } from './workspaces.mjs'

/**
 * Bundles TypeScript directly, into a folder that does not exist yet. Types are not checked, so no compiler is needed.
 * @param {string} workspace
 * @param {string} folder
 */
export async function bundleSources(workspace, folder) {
  const sources = join(root, workspace, 'src')
  write(
    await bundled(
      modulesOf(workspace).map((path) => join(sources, path.replace(/\.js$/, '.ts'))),
      sources,
      folder,
    ),
  )
}

/**
 * Makes one module of everything that only one entry of a package needs, and one of the parts that several share: loading a
 * thousand files is most of a start. Packages stay separate, so each is loaded once for all its importers.
 * @param {string} workspace
 * @param {string} folder of its compiled modules, which are replaced
 */
export async function bundle(workspace, folder) {
  const modules = modulesOf(workspace)
  if (modules.length === 0) return
  const files = await bundled(
    modules.map((path) => join(folder, path)),
    folder,
    folder,
  )
  for (const { path } of filesUnder(folder)) if (path.endsWith('.js')) rmSync(path)
  write(files)
}

/**
 * Returns the exports of a package, as paths below its `dist`.
 * @param {string} workspace
 * @returns {string[]}
 */
function modulesOf(workspace) {
  const { exports = {} } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  return Object.values(exports).flatMap(({ default: path }) => (path ? [path.replace('./dist/', '')] : []))
}

async function bundled(entryPoints, outbase, outdir) {
  if (entryPoints.length === 0) return []
  const { outputFiles } = await build({
    entryPoints,
    outbase,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    write: false,
    logLevel: 'warning',
  })
  return outputFiles
}

function write(files) {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
}
