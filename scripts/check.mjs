/**
 * Checks the code without running it: `npm run check`. All checks run, even after a failure; the exit code is
 * 1 if any failed. Independent checks start together. `npm run check -- plugins/tasks` checks some folders alone, without the
 * generated references, the lockfiles and the dashboard.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fromSources } from './typescript/options.mjs'
import { root } from './workspaces.mjs'

const bin = (name) => join(root, 'node_modules', '.bin', name)
const typescript = [process.execPath, ...fromSources]

const folders = process.argv.slice(2).map((folder) => relative(root, resolve(folder)))
const missing = folders.find((folder) => !existsSync(join(root, folder)))
if (missing !== undefined) {
  console.error(`check: there is no ${missing}`)
  process.exit(1)
}
const biome = ['ci', '--colors=off', '--diagnostic-level=warn', '--error-on-warnings', '--max-diagnostics=30']

const everything = {
  // Uses one checker: each further one infers most of the schemas' types again, which costs more than it divides.
  types: () => run([bin('tsc'), '--noEmit', ...incremental('types'), '--checkers', '1', '-p', '.']),
  'types of the dashboard': () => run([bin('tsc'), '-p', 'plugins/dashboard/app']),
  'format and lint': () => run([bin('biome'), ...biome, '.']),
  'promises and correctness': () => run([bin('oxlint'), '--format=unix']),
  'import rules': () => run([...typescript, 'scripts/import-rules.ts']),
  prose: () => run([...typescript, 'scripts/prose.ts']),
  'generated references': () => run([...typescript, 'scripts/references.ts', '--check']),
  lockfiles: async () =>
    ['package-lock.json', 'test/conformance/package-lock.json', 'plugins/embeddings/runtime/package-lock.json']
      .flatMap(lockfileFaults)
      .join('\n'),
}

/** Checks of the named folders; rules about what packages import of each other take a second for all of them. */
const some = {
  types: () => run([bin('tsc'), '--noEmit', '--checkers', '1', '-p', partialConfig()]),
  'format and lint': () => run([bin('biome'), ...biome, ...folders]),
  'promises and correctness': () => run([bin('oxlint'), '--format=unix', ...folders]),
  'import rules': everything['import rules'],
  prose: () => run([...typescript, 'scripts/prose.ts', ...folders]),
}

const checks = folders.length > 0 ? some : everything

/** Writes a compiler configuration for the named folders, and returns its path. */
function partialConfig() {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const path = join(cache, `types-${process.pid}.json`)
  writeFileSync(
    path,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: root },
      include: folders.map((folder) => join(root, folder)),
    }),
  )
  return path
}

/** Compiler options that cache the result in a file, so that the next check only reads changes. */
function incremental(name) {
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true })
  return ['--incremental', '--tsBuildInfoFile', join(root, 'node_modules', '.cache', `${name}.tsbuildinfo`)]
}

/** Returns the output of a command that failed, else an empty result. */
function run([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve(String(error)))
    child.on('close', (code) => resolve(code === 0 ? '' : output.trim() || `exit code ${code}`))
  })
}

/**
 * Finds faults that make `npm ci` fail elsewhere and not here: an entry that names a registry's host installs from there,
 * regardless of the configured registry; and `npm install` leaves out the packages of other platforms where its registry
 * lacks them, after which `npm ci` refuses the whole lockfile.
 */
function lockfileFaults(file) {
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8'))
  const hosted = Object.keys(packages).filter((name) => /^[a-z+]+:/.test(packages[name].resolved ?? ''))
  const absent = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !(`node_modules/${name}` in packages))
  return [
    ...hosted.map((name) => `${file}: ${name}: "resolved" names a host; remove it`),
    ...absent.map((name) => `${file}: ${name}: an optional dependency without an entry; add it with its version, os and cpu`),
  ]
}

const outcomes = await Promise.all(
  Object.entries(checks).map(async ([name, check]) => {
    const started = Date.now()
    const faults = await check()
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    console.log(faults === '' ? `ok      ${name} (${seconds} s)` : `FAILED  ${name} (${seconds} s)\n${faults}\n`)
    return faults === ''
  }),
)
process.exitCode = outcomes.every(Boolean) ? 0 : 1
