import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'elsewhere')
/** Time limit of an installation from a registry, on a busy machine. */
const LIMIT_MS = 300_000

/** The command that runs a third-party client, installed as locked; or the reason it is unavailable here. */
export type ForeignClient = { readonly command: readonly string[] } | { readonly missing: string }

/** Prepares a program of `elsewhere` on its npm packages. */
export function onNode(program: string): ForeignClient {
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) {
    const failed = runs('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
    if (failed !== undefined) return { missing: failed }
  }
  return { command: [process.execPath, join(folder, program)] }
}

/** Prepares a program of `elsewhere` in its own Python environment, with the packages that `requirements` locks. */
export function onPython(program: string, requirements: string): ForeignClient {
  const environment = join(folder, 'node_modules', '.python', requirements)
  const python = join(environment, 'bin', 'python')
  const done = join(environment, 'installed')
  if (!existsSync(done)) {
    const failed =
      runs('python3', ['-m', 'venv', '--clear', environment]) ??
      runs(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', `${requirements}.txt`]) ??
      runs('touch', [done])
    if (failed !== undefined) return { missing: failed }
  }
  return { command: [python, join(folder, program)] }
}

function runs(command: string, args: readonly string[]): string | undefined {
  const { error, status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: LIMIT_MS })
  if (error) return `${command}: ${error.message}`
  return status === 0 ? undefined : `${command} ${args[0]}: ${stderr.trim().split('\n').at(-1) || `code ${status}`}`
}
