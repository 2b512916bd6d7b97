/**
 * Builds the dashboard's client, plugins/dashboard/app, into the folder its plugin serves it from: modules and a style sheet under names
 * that
 * change with their content, each with its encodings, and the page that loads them.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { filesUnder, root } from './workspaces.mjs'

/** The folder that the plugin serves. */
export const clientFolder = join(root, 'plugins', 'dashboard', 'dist', 'client')
const source = join(root, 'plugins', 'dashboard', 'app')

/**
 * Maximum size in bytes of gzip: the code that every page loads (shell), all chunks together, and the style sheet. About 800 bytes of
 * all chunks say that a reading failed, and try it again, where a list or a menu would seem
 * empty; 300 show an example of the objects that a form takes as JSON. Of the
 * shell, 300 keep titles up to date.
 */
export const BUDGET = { shell: 37_600, scripts: 114_000, style: 8_000 }

/** Changes with any input of the client. */
export function clientFingerprint() {
  const hash = createHash('sha256')
  for (const path of [
    import.meta.filename,
    join(source, 'package.json'),
    join(root, 'package-lock.json'),
    join(root, 'sdk', 'src', 'near.ts'),
  ])
    hash.update(readFileSync(path))
  for (const { path } of filesUnder(source)) hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

/** Builds the client if its sources have changed. Several processes may do so at the same time. */
export async function ensureClient() {
  const print = clientFingerprint()
  const stamp = join(clientFolder, 'sources')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === print) return
  const draft = `${clientFolder}-${process.pid}`
  await buildClient(draft)
  try {
    rmSync(clientFolder, { recursive: true, force: true })
    renameSync(draft, clientFolder)
  } catch {
    // Another process was faster.
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @returns {Promise<{ shell: number, scripts: number, style: number }>} bytes of gzip, as in BUDGET
 */
export async function buildClient(folder) {
  // A mere check for staleness needs no compiler.
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    entryPoints: { app: join(source, 'main.tsx'), style: join(source, 'style', 'index.css') },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    // Modules of the SDK come from its sources, because the client may be built before the SDK.
    conditions: ['@gateway/source'],
    target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    absWorkingDir: root,
    logLevel: 'warning',
  })
  mkdirSync(folder, { recursive: true })
  const drawn = readFileSync(join(source, 'icon.svg'))
  const icon = { path: `icon-${createHash('sha256').update(drawn).digest('hex').slice(0, 8)}.svg`, contents: drawn }
  const sizes = new Map()
  for (const { path, contents } of [...outputFiles, icon]) {
    const name = basename(path)
    const gzip = gzipSync(contents, { level: 9 })
    sizes.set(name, gzip.length)
    writeFileSync(join(folder, name), contents)
    writeFileSync(join(folder, `${name}.gz`), gzip)
    writeFileSync(
      join(folder, `${name}.br`),
      brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } }),
    )
  }
  writeFileSync(join(folder, 'desk.html'), await deskPage(build))
  await buildReference(folder, build)
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]))
  const named = (start, end) => [...outputs.keys()].find((name) => name.startsWith(start) && name.endsWith(end))
  const shell = withImports(named('app-', '.js'), outputs)
  writeFileSync(join(folder, 'index.html'), page(shell, named('style-', '.css'), icon.path))
  writeFileSync(join(folder, 'sources'), clientFingerprint())
  const sum = (names) => names.reduce((bytes, name) => bytes + sizes.get(name), 0)
  return {
    shell: sum(shell),
    scripts: sum([...outputs.keys()].filter((name) => name.endsWith('.js'))),
    style: sum([...outputs.keys()].filter((name) => name.endsWith('.css'))),
  }
}

/** The files of Swagger UI that the viewer of the API uses. This package has them without an install script. */
const VIEWER = join(dirname(createRequire(join(source, 'package.json')).resolve('@fastify/swagger-ui')), 'static')

/**
 * The viewer of the API: Swagger UI as it is distributed, its licence, and a page that starts it.
 * @param {string} folder
 * @param {typeof import('esbuild').build} build
 */
async function buildReference(folder, build) {
  const part = join(source, 'reference')
  const { outputFiles } = await build({
    entryPoints: [join(part, 'main.ts'), join(part, 'style.css')],
    outdir: part,
    minify: true,
    write: false,
    absWorkingDir: root,
    logLevel: 'warning',
  })
  const made = (ending) => Buffer.from(outputFiles.find(({ path }) => path.endsWith(ending)).contents)
  const names = [
    writeAsset(folder, 'viewer', 'css', readFileSync(join(VIEWER, 'swagger-ui.css'))),
    writeAsset(folder, 'reference', 'css', made('.css')),
    writeAsset(folder, 'viewer', 'js', readFileSync(join(VIEWER, 'swagger-ui-bundle.js'))),
    writeAsset(folder, 'reference', 'js', made('.js')),
  ]
  const tag = (name) =>
    name.endsWith('.css')
      ? `<link rel="stylesheet" href="/dashboard-assets/${name}">`
      : `<script defer src="/dashboard-assets/${name}"></script>`
  const head = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Gateway API</title>',
    ...names.map(tag),
    '</head>',
    '<body><nav class="gateway-docs" aria-label="Documents"><a href="/api/docs/plain">Plain page</a> <a href="/api/openapi.json">openapi.json</a></nav>',
    '<div id="reference"></div><noscript><a href="/api/docs/plain">The reference without a script</a></noscript></body>',
    '</html>',
    '',
  ]
  writeFileSync(join(folder, 'reference.html'), head.join('\n'))
  for (const name of ['swagger-ui.LICENSE', 'swagger-ui.NOTICE']) writeFileSync(join(folder, name), readFileSync(join(part, name)))
}

/** Writes a file under a name that changes with its content, with its encodings. Returns the name. */
function writeAsset(folder, base, ending, contents) {
  const name = `${base}-${createHash('sha256').update(contents).digest('hex').slice(0, 8)}.${ending}`
  writeFileSync(join(folder, name), contents)
  writeFileSync(join(folder, `${name}.gz`), gzipSync(contents, { level: 9 }))
  // The best quality would take seconds for a megabyte.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length }
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(contents, { params }))
  return name
}

/**
 * The MCP App in one page: a host puts it into a frame that loads nothing.
 * @param {typeof import('esbuild').build} build
 */
async function deskPage(build) {
  const part = join(source, 'mcp-app')
  const { outputFiles } = await build({
    entryPoints: [join(part, 'main.tsx'), join(part, 'style.css')],
    outdir: part,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    write: false,
    absWorkingDir: root,
    logLevel: 'warning',
  })
  const text = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text.trim()
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gateway</title><style>${text('.css')}</style>`
  const script = text('.js').replaceAll('</script', '<\\/script')
  return `<!doctype html><html lang="en"><head>${head}</head><body><div id="root"></div><script>${script}</script></body></html>\n`
}

/** Returns a module and its static imports, without modules loaded on demand. */
function withImports(entry, outputs) {
  const found = new Set([entry])
  for (const name of found)
    for (const { path, kind } of outputs.get(name).imports) if (kind === 'import-statement') found.add(basename(path))
  return [...found]
}

function page(scripts, style, icon) {
  const [entry, ...more] = scripts
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Gateway</title>',
    `<link rel="icon" href="/dashboard-assets/${icon}" type="image/svg+xml">`,
    `<link rel="stylesheet" href="/dashboard-assets/${style}">`,
    ...more.map((name) => `<link rel="modulepreload" href="/dashboard-assets/${name}">`),
    `<script type="module" src="/dashboard-assets/${entry}"></script>`,
    '</head>',
    '<body><div id="root"></div><noscript>The dashboard needs JavaScript. The API is described at /api/docs.</noscript></body>',
    '</html>',
    '',
  ].join('\n')
}
