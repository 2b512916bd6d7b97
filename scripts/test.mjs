/**
 * Runs the tests of all packages except the slow ones: `npm test`; the slow ones alone: `npm test -- --slow`; or all tests in
 * some folders or files, slow or not: `npm test -- plugins/tasks test/crash`. Options of `node --test` pass through: `npm test --
 * --test-name-pattern=lease`. With STORE=mongodb
 * the test gateways keep their data in the MongoDB of MONGODB_URL, or in a server that this starts. With
 * `--again`, up to three files that failed run once more, alone, and that result counts; their names are printed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { cpuSeconds, cpuText } from './cpu-time.mjs'
import { temporaryFolder } from './temporary-folder.mjs'
import { importsSources, testProcesses, writeEntries } from './test-processes.mjs'
import { mostExpensive } from './test-profile.mjs'
import { compileAhead } from './typescript/cache.mjs'
import { compiled, fromSources } from './typescript/options.mjs'
import { filesUnder, root } from './workspaces.mjs'

/** Folders of slow tests, which kill, flood, mutate, or start many processes. Elsewhere such a file is named `….slow.test.ts`. */
const SLOW = ['test/clients', 'test/crash', 'test/dashboard', 'test/event-loop', 'test/fuzz', 'test/load', 'test/nodes', 'test/packages']

/** Number of files that `--profile` lists. */
const PROFILED = process.env.PROFILED ? Number(process.env.PROFILED) : 15

/** With more failed files than this, the machine is not the cause. */
const MAX_AGAIN = 3

/** Number of files above which compiling everything ahead costs less than compiling in each process. */
const MANY_FILES = 50

const isSlowRun = process.argv.includes('--slow')
const asksAgain = process.argv.includes('--again')
const asksProfile = process.argv.includes('--profile')
const OWN_OPTIONS = ['--slow', '--again', '--profile']
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-') && !OWN_OPTIONS.includes(argument))
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const folders = ['plugins', 'examples', 'sdk', 'kernel', 'bin', 'test']
const files = folders
  .flatMap((folder) => [...filesUnder(join(root, folder))])
  .map(({ path }) => relative(root, path))
  .filter((path) => path.endsWith('.test.ts'))
  .filter(isWanted)

function typescriptUnder(folder) {
  return [...filesUnder(join(root, folder))].map(({ path }) => path).filter((path) => path.endsWith('.ts'))
}

function isWanted(path) {
  const isSlow = isSlowTest(path)
  if (wanted.length === 0) return isSlow === isSlowRun
  return (isSlow || !isSlowRun) && wanted.some((part) => isUnder(path, relative(root, resolve(part))))
}

function isSlowTest(path) {
  return path.endsWith('.slow.test.ts') || SLOW.some((folder) => isUnder(path, folder))
}

function isUnder(path, part) {
  return part === '' || path === part || path.startsWith(`${part}/`)
}

/** Variables that would configure the gateway under test, or colour the summary that CI reads. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GATEWAY_|MONGODB_URL$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$)/.test(name))
  return Object.fromEntries(kept)
}

/** Uses variable names that no gateway reads as its own setting. */
async function storeUnderTest() {
  const { STORE: store, MONGODB_URL: url } = process.env
  if (store !== undefined && !['sqlite', 'mongodb'].includes(store)) fail(`STORE must be sqlite or mongodb; got ${store}`)
  if (url) return { environment: { TEST_MONGODB_URL: url }, stop() {} }
  if (store !== 'mongodb') return { environment: {}, stop() {} }
  await import('./typescript/register.mjs')
  const { lacksProgram, startServer } = await import('../kernel/storage-mongodb/test/mongodb-server.ts')
  const lacking = lacksProgram()
  if (lacking !== undefined) fail(`STORE=mongodb ${lacking}`)
  const server = await startServer()
  return { environment: { TEST_MONGODB_URL: server.url, TEST_MONGODB_PRODUCT: 'SecantusDB' }, stop: () => server.stop() }
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

const reporter = options.some((option) => option.startsWith('--test-reporter'))
  ? []
  : [`--test-reporter=${join(root, 'scripts', 'reporter.mjs')}`, '--test-reporter-destination=stdout']

// Slow tests of crashes keep to a real disk.
const temporary = files.some(isSlowTest) ? undefined : temporaryFolder()

buildIfStale()
if (files.length >= MANY_FILES) await compileAhead(folders.flatMap(typescriptUnder))
let { code, failed } = await runAll(files)
if (code !== 0 && asksAgain && failed.length > 0 && failed.length <= MAX_AGAIN && failed.every((file) => files.includes(file))) {
  console.log(`\n== once more, alone: ${failed.join(' ')}\n`)
  const unsteady = failed
  ;({ code, failed } = await runAll(unsteady, 1))
  if (code === 0) console.log(`\nUNSTEADY: failed beside the others and passed alone: ${unsteady.join(' ')}`)
}
process.exitCode = code
await store.stop()
temporary?.remove()
const seconds = cpuSeconds()
if (seconds !== undefined) console.log(`# CPU time ${cpuText(seconds)}, all processes`)

/** Gateways that tests start as processes, and the tests that import no sources, use the build. */
function buildIfStale() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-stale'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) fail('the packages could not be built')
}

/**
 * Runs the files that need the sources, then those that use the build.
 * @param {readonly string[]} files
 * @param {number} [atOnce] processes at a time
 */
async function runAll(files, atOnce) {
  const all = { code: 0, failed: /** @type {string[]} */ ([]) }
  for (const [flags, needsSources] of /** @type {const} */ ([
    [fromSources, true],
    [compiled, false],
  ])) {
    const some = files.filter((file) => importsSources(file) === needsSources)
    if (some.length === 0) continue
    const groups = atOnce === 1 ? some.map((file) => [file]) : testProcesses(some)
    const { code, failed } = await run(groups, flags, atOnce)
    all.code ||= code
    all.failed.push(...failed)
  }
  return all
}

/**
 * Runs a process per core, and one more while another waits for its disk.
 * @param {readonly (readonly string[])[]} groups
 * @returns {Promise<{ code: number, failed: readonly string[] }>} the files of the tests that failed
 */
function run(groups, flags, atOnce = availableParallelism() + 1) {
  const { entries, remove } = writeEntries(groups)
  const list = `${entries[0]}.failed`
  const profile = `${entries[0]}.profile`
  const child = spawn(
    process.execPath,
    [...flags, '--test', `--test-concurrency=${atOnce}`, '--test-timeout=1200000', ...reporter, ...options, ...entries],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...cleanEnvironment(),
        ...store.environment,
        ...modelUnderTest(),
        ...temporary?.environment,
        FAILED_FILES: list,
        TEST_PROFILE: profile,
      },
    },
  )
  return new Promise((resolve) =>
    child.on('exit', (code, signal) => {
      const failed = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
      if (asksProfile) console.log(`\n# CPU time by file\n${mostExpensive(profile, PROFILED).join('\n')}`)
      remove()
      resolve({ code: code ?? (signal ? 1 : 0), failed })
    }),
  )
}
