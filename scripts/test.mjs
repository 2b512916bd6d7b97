/**
 * Runs the tests of all packages but the slow ones: `npm test`; those alone: `npm test -- --slow`; or whatever stands under
 * some folders or in some files, slow or not: `npm test -- plugins/tasks test/crash`. Options of `node --test` pass through: `npm test -- --test-name-pattern=lease`. With STORE=mongodb
 * the test gateways keep their data in the MongoDB of MONGODB_URL, or in FerretDB, which Go builds and this starts.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { testProcesses, writeEntries } from './test-processes.mjs'
import { compiled, fromSources } from './typescript/options.mjs'
import { filesUnder, root } from './workspaces.mjs'

/** Where tests take minutes together: they kill, flood, mutate, or start many processes. */
const SLOW = ['test/clients', 'test/crash', 'test/dashboard', 'test/fuzz', 'test/load', 'test/nodes', 'test/packages']

const isSlowRun = process.argv.includes('--slow')
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-') && argument !== '--slow')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const folders = ['plugins', 'examples', 'sdk', 'kernel', 'test']
const files = folders
  .flatMap((folder) => [...filesUnder(join(root, folder))])
  .map(({ path }) => relative(root, path))
  .filter((path) => path.endsWith('.test.ts'))
  .filter(isWanted)

const BUILD_FERRETDB = `import('./kernel/storage-mongodb/test/ferretdb.ts').then(({ buildFerretdb }) => buildFerretdb())`
function usesFerretdb(file) {
  return /\/(?:ferretdb|mongodb-server|nodes)\.ts'/.test(readFileSync(join(root, file), 'utf8'))
}

function isWanted(path) {
  const isSlow = SLOW.some((folder) => isUnder(path, folder))
  if (wanted.length === 0) return isSlow === isSlowRun
  return (isSlow || !isSlowRun) && wanted.some((part) => isUnder(path, relative(root, resolve(part))))
}

function isUnder(path, part) {
  return part === '' || path === part || path.startsWith(`${part}/`)
}

/** Variables that would configure the gateway under test, or colour the summary that CI reads. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GATEWAY_|MONGODB_URL$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$)/.test(name))
  return Object.fromEntries(kept)
}

/** Under names that no gateway reads as its own setting. */
async function storeUnderTest() {
  const { STORE: store, MONGODB_URL: url } = process.env
  if (store !== undefined && !['sqlite', 'mongodb'].includes(store)) fail(`STORE must be sqlite or mongodb; got ${store}`)
  if (url) return { environment: { TEST_MONGODB_URL: url }, stop() {} }
  if (store !== 'mongodb') return { environment: {}, stop() {} }
  await import('./typescript/register.mjs')
  const { buildFerretdb, startFerretdb } = await import('../kernel/storage-mongodb/test/ferretdb.ts')
  const built = buildFerretdb()
  if ('reason' in built) fail(`STORE=mongodb needs MONGODB_URL, or FerretDB: ${built.reason}`)
  const server = await startFerretdb(built.binary)
  return { environment: { TEST_FERRETDB_URL: server.url }, stop: () => server.stop() }
}

/** The model of the embeddings, for the tests that need it. */
function modelUnderTest() {
  const { GATEWAY_MODEL_DIR: folder } = process.env
  return folder ? { TEST_MODEL_DIR: resolve(folder) } : {}
}

function fail(message) {
  console.error(`test: ${message}`)
  process.exit(1)
}

if (files.length === 0) fail(`no${isSlowRun ? ' slow' : ''} *.test.ts under ${wanted.join(', ')}`)
const store = await storeUnderTest()
const needsServer = files.filter(usesFerretdb)
// Go may have to fetch and compile it first, which is waiting more than work.
if (needsServer.length > 0) spawn(process.execPath, [...compiled, '-e', BUILD_FERRETDB], { cwd: root, stdio: 'ignore' }).unref()

const reporter = options.some((option) => option.startsWith('--test-reporter'))
  ? []
  : [`--test-reporter=${join(root, 'scripts', 'reporter.mjs')}`, '--test-reporter-destination=stdout']

const { entries, remove } = writeEntries(testProcesses([...files.filter((file) => !needsServer.includes(file)), ...needsServer]))

// A process per core, and one more while another waits for its disk.
const child = spawn(
  process.execPath,
  [
    ...fromSources,
    '--test',
    `--test-concurrency=${availableParallelism() + 1}`,
    '--test-timeout=600000',
    ...reporter,
    ...options,
    ...entries,
  ],
  { cwd: root, stdio: 'inherit', env: { ...cleanEnvironment(), ...store.environment, ...modelUnderTest() } },
)
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0)
  remove()
  void store.stop()
})
