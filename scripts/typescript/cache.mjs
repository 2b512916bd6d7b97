import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

const require = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../../node_modules/.cache/typescript/', import.meta.url))
mkdirSync(folder, { recursive: true })

const OPTIONS = {
  loader: 'ts',
  format: 'esm',
  target: 'node20',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  sourcemap: 'inline',
  sourcesContent: false,
}
const BY = `${require('esbuild/package.json').version} ${JSON.stringify(OPTIONS)}`

/** Returns the compiled text of a file, which is cached under the name of its source and compiler. */
export function javascriptOf(path) {
  const { source, name, cached } = lookUp(path)
  try {
    return readFileSync(cached, 'utf8')
  } catch {
    // Loading the compiler takes longer than reading the cache, so it waits until it is needed.
    const { code } = require('esbuild').transformSync(source, { ...OPTIONS, sourcefile: name })
    store(cached, code)
    return code
  }
}

/**
 * Compiles files that are not in the cache, with one compiler for all: a test process would start its own.
 * @param {Iterable<string>} paths
 */
export async function compileAhead(paths) {
  const missing = [...paths].map(lookUp).filter(({ cached }) => !existsSync(cached))
  if (missing.length === 0) return
  const { transform, stop } = require('esbuild')
  const compiled = missing.map(async ({ source, name, cached }) =>
    store(cached, (await transform(source, { ...OPTIONS, sourcefile: name })).code),
  )
  // A file that does not compile fails the test that loads it.
  await Promise.allSettled(compiled)
  await stop()
}

function lookUp(path) {
  const name = basename(path)
  const source = readFileSync(path)
  return { source, name, cached: join(folder, `${createHash('sha256').update(`${BY} ${name}\n`).update(source).digest('hex')}.js`) }
}

function store(path, code) {
  const draft = `${path}.${process.pid}-${threadId}`
  writeFileSync(draft, code)
  renameSync(draft, path)
}
