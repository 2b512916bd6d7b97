/**
 * Builds every workspace: one `tsc` over all sources into .build/, whose modules are bundled per package, then each
 * workspace's part becomes its dist/.
 *
 * One compiler run, because a build per package costs about ten times as much. `--if-stale` is for `npm start`: it skips
 * the build while no source, package.json or tsconfig has changed since the last one, a check of milliseconds. When
 * it does build, it bundles the sources as they are and leaves types to `npm run check`: that takes a second or two, and
 * needs no development dependency.
 */
import '../bin/runnable.mjs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buildClient, clientFingerprint } from './dashboard.mjs'
import { filesUnder, root, workspaces } from './workspaces.mjs'

const ifStale = process.argv.includes('--if-stale')
const out = join(root, '.build')
const stampFile = join(root, 'node_modules', '.gateway-build')

/** Changes with any name, size or modification time of the build's input. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const name of ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'scripts/bundle.mjs'])
    hash.update(readFileSync(join(root, name)))
  for (const workspace of workspaces()) {
    hash.update(readFileSync(join(root, workspace, 'package.json')))
    for (const { path, stat } of filesUnder(join(root, workspace, 'src'))) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`)
  }
  hash.update(clientFingerprint())
  return hash.digest('hex')
}

function isFresh(print) {
  if (!workspaces().every((workspace) => existsSync(join(root, workspace, 'dist')))) return false
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === print
}

function compile() {
  let tsc
  try {
    tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
  } catch {
    console.error('build: the compiler, which types need, is not installed: run `npm ci`. To run the service, `npm start` does without it.')
    process.exit(1)
  }
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--checkers', '1'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

async function bundleAll() {
  const { bundle, bundleSources } = await import('./bundle.mjs')
  const make = ifStale ? bundleSources : bundle
  await Promise.all(workspaces().map((workspace) => make(workspace, join(out, workspace, 'src'))))
}

/** The old dist/ stays until the whole compilation has succeeded: after a failed build the service still runs. */
function install() {
  for (const workspace of workspaces()) {
    const dist = join(root, workspace, 'dist')
    const built = join(out, workspace, 'src')
    if (!existsSync(built)) continue
    rmSync(dist, { recursive: true, force: true })
    renameSync(built, dist)
  }
  rmSync(out, { recursive: true, force: true })
}

const started = Date.now()
const print = fingerprint()
if (ifStale && isFresh(print)) process.exit(0)
rmSync(out, { recursive: true, force: true })
if (!ifStale) compile()
await bundleAll()
await buildClient(join(out, 'plugins', 'dashboard', 'src', 'client'))
rmSync(stampFile, { force: true })
install()
writeFileSync(stampFile, print)
console.error(`build: ${workspaces().length} packages in ${((Date.now() - started) / 1000).toFixed(1)} s`)
