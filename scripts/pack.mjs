/**
 * Packs workspaces as npm would publish them: `npm run tarballs -- <folder> [workspace…]`, the SDK and the parts of the kernel if none
 * is named. Compiled with declarations into a folder of its own, so that the dist/ of a running service stays what it is. Prints
 * the tarballs.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root, workspaces } from './workspaces.mjs'

const [folder, ...named] = process.argv.slice(2)
if (folder === undefined) fail('expected a folder for the tarballs')
const packed = named.length > 0 ? named : workspaces().filter((workspace) => /^(?:sdk|kernel\/)/.test(workspace))

function fail(message) {
  console.error(`pack: ${message}`)
  process.exit(1)
}

function run(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (status !== 0) fail(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

/** Without the condition that chooses the sources, which stay here. */
function publicManifest(workspace) {
  const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  for (const target of Object.values(manifest.exports)) delete target['@gateway/source']
  return JSON.stringify(manifest, null, 2)
}

function compile(staging) {
  const config = join(staging, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    noEmitOnError: true,
    rootDir: root,
    outDir: join(staging, 'out'),
    typeRoots: [join(root, 'node_modules', '@types')],
  }
  const include = packed.map((workspace) => join(root, workspace, 'src'))
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include }))
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
  run(process.execPath, [tsc, '-p', config, '--checkers', '1'])
}

const staging = mkdtempSync(join(tmpdir(), 'gateway-pack-'))
try {
  mkdirSync(folder, { recursive: true })
  compile(staging)
  for (const workspace of packed) {
    const at = join(staging, 'packages', workspace)
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, 'package.json'), publicManifest(workspace))
    if (existsSync(join(root, workspace, 'README.md'))) cpSync(join(root, workspace, 'README.md'), join(at, 'README.md'))
    cpSync(join(root, 'LICENSE'), join(at, 'LICENSE'))
    renameSync(join(staging, 'out', workspace, 'src'), join(at, 'dist'))
    const [{ filename }] = JSON.parse(
      run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)], { cwd: at }),
    )
    console.log(join(resolve(folder), filename))
  }
} finally {
  rmSync(staging, { recursive: true, force: true })
}
