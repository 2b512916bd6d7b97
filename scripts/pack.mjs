/**
 * Packs workspaces as npm would publish them: `npm run tarballs -- <folder> [workspace…]`. Without a workspace it packs all published
 * ones; a folder of workspaces, such as `kernel`, means each of them. The workspaces that they depend on are packed too. Compiles with
 * declarations into a separate folder, so that the dist/ of a running service is unchanged. Prints the tarballs.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buildClient } from './dashboard.mjs'
import { root, withDependencies, workspaces } from './workspaces.mjs'

/** The command's only module is already JavaScript, so it is not a workspace that is built. */
const COMMAND = 'bin'

const [folder, ...named] = process.argv.slice(2)
if (folder === undefined) fail('expected a folder for the tarballs')
const published = [...workspaces(), COMMAND].filter((workspace) => !readManifest(workspace).private)
const wanted = published.filter((workspace) => named.length === 0 || named.some((name) => `${workspace}/`.startsWith(`${name}/`)))
const packed = withDependencies(wanted, published)
if (packed.length === 0) fail(`there is no workspace ${named.join(', ')}`)

function fail(message) {
  console.error(`pack: ${message}`)
  process.exit(1)
}

function run(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options })
  if (status !== 0) fail(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

function readManifest(workspace) {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
}

/** Removes the condition that chooses the sources, which are not published. */
function publicManifest(workspace) {
  const manifest = readManifest(workspace)
  for (const target of Object.values(manifest.exports ?? {})) delete target['@gateway/source']
  return { ...manifest, publishConfig: { access: 'public' } }
}

function compile(staging) {
  const include = packed.filter((workspace) => workspace !== COMMAND).map((workspace) => join(root, workspace, 'src'))
  if (include.length === 0) return
  const config = join(staging, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    noEmitOnError: true,
    rootDir: root,
    outDir: join(staging, 'out'),
    typeRoots: [join(root, 'node_modules', '@types')],
  }
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include }))
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
  run(process.execPath, [tsc, '-p', config, '--checkers', '1'])
}

/**
 * Prepares the folder of a package for publication: its manifest, the compiled modules, and its files that are copied unchanged.
 */
function stage(workspace, staging) {
  const at = join(staging, 'packages', workspace)
  const manifest = publicManifest(workspace)
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), JSON.stringify(manifest, null, 2))
  cpSync(join(root, 'LICENSE'), join(at, 'LICENSE'))
  for (const file of ['README.md', ...manifest.files.filter((file) => file !== 'dist')]) {
    if (!existsSync(join(root, workspace, file))) continue
    mkdirSync(dirname(join(at, file)), { recursive: true })
    cpSync(join(root, workspace, file), join(at, file), { recursive: true })
  }
  if (manifest.files.includes('dist')) renameSync(join(staging, 'out', workspace, 'src'), join(at, 'dist'))
  return at
}

const staging = mkdtempSync(join(tmpdir(), 'gateway-pack-'))
try {
  mkdirSync(folder, { recursive: true })
  compile(staging)
  if (packed.includes('plugins/dashboard')) await buildClient(join(staging, 'out', 'plugins', 'dashboard', 'src', 'client'))
  const staged = packed.map((workspace) => stage(workspace, staging))
  // Packs in one run, as starting npm takes longer than packing.
  const tarballs = JSON.parse(
    run('npm', ['pack', ...staged, '--json', '--ignore-scripts', '--pack-destination', resolve(folder)], { cwd: staging }),
  )
  for (const { filename } of tarballs) console.log(join(resolve(folder), filename))
} finally {
  rmSync(staging, { recursive: true, force: true })
}
