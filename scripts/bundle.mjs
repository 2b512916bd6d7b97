import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { filesUnder, root } from './workspaces.mjs'

/**
 * Makes one module of all that an entry of a package alone needs, and one of what several share: loading a thousand
 * files is most of a start. Packages stay apart, so each is there once, whoever imports it.
 * @param {string} workspace
 * @param {string} folder where its compiled modules are; they are replaced
 */
export async function bundle(workspace, folder) {
  const { exports = {} } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  const entries = Object.values(exports).flatMap(({ default: path }) => (path ? [path.replace('./dist', folder)] : []))
  if (entries.length === 0) return
  const { outputFiles } = await build({
    entryPoints: entries,
    outbase: folder,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    write: false,
    logLevel: 'warning',
  })
  for (const { path } of filesUnder(folder)) if (path.endsWith('.js')) rmSync(path)
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
}
