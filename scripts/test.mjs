/**
 * Runs the tests of all packages: `npm test`, or `npm test -- plugins/tasks test/crash` for those under some folders
 * (or in some files). Options of `node --test` pass through: `npm test -- --test-name-pattern=lease`.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { filesUnder, root, workspaces } from './workspaces.mjs'

const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const folders = ['test', ...workspaces().map((workspace) => join(workspace, 'test'))]
const files = folders
  .flatMap((folder) => [...filesUnder(join(root, folder))])
  .map(({ path }) => relative(root, path))
  .filter((path) => path.endsWith('.test.ts'))
  .filter((path) => wanted.length === 0 || wanted.some((part) => isUnder(path, relative(root, resolve(part)))))

function isUnder(path, part) {
  return part === '' || path === part || path.startsWith(`${part}/`)
}

/** Variables that would configure the gateway under test, or colour the summary that CI reads. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GATEWAY_|MONGODB_URL$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$)/.test(name))
  return Object.fromEntries(kept)
}

if (files.length === 0) {
  console.error(`test: no *.test.ts under ${wanted.join(', ')}`)
  process.exit(1)
}

const reporter = options.some((option) => option.startsWith('--test-reporter'))
  ? []
  : [`--test-reporter=${join(root, 'scripts', 'reporter.mjs')}`, '--test-reporter-destination=stdout']

// Each file is a process: one per core, and one more while another waits for its disk.
const child = spawn(
  process.execPath,
  [
    '--conditions=source',
    '--import',
    'tsx',
    '--test',
    `--test-concurrency=${availableParallelism() + 1}`,
    '--test-timeout=600000',
    ...reporter,
    ...options,
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env: cleanEnvironment() },
)
child.on('exit', (code, signal) => (process.exitCode = code ?? (signal ? 1 : 0)))
