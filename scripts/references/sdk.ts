import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { root } from '../workspaces.mjs'

/** Entries that a plugin and its tests can import, each with the module that documents it. */
const ENTRIES = [
  ['@gateway/sdk', 'sdk/src/index'],
  ['@gateway/sdk/alerting', 'sdk/src/alerting'],
  ['@gateway/sdk/bounds', 'sdk/src/bounds'],
  ['@gateway/sdk/cron', 'sdk/src/cron'],
  ['@gateway/sdk/front-matter', 'sdk/src/front-matter'],
  ['@gateway/sdk/json', 'sdk/src/json'],
  ['@gateway/sdk/lenient', 'sdk/src/lenient/index'],
  ['@gateway/sdk/near', 'sdk/src/near'],
  ['@gateway/sdk/portable', 'sdk/src/portable/index'],
  ['@gateway/sdk/redact', 'sdk/src/redact'],
  ['@gateway/sdk/ring', 'sdk/src/ring'],
  ['@gateway/sdk/secrets', 'sdk/src/secrets'],
  ['@gateway/testing', 'kernel/testing/src/index'],
] as const

/** An exported name: its declaration as the compiler emits it, and its docstring as prose. */
export interface Declaration {
  readonly entry: string
  /** Its file, without folder and extension. */
  readonly module: string
  readonly name: string
  readonly docs: string
  readonly code: string
}

/** Returns docs/reference/sdk.md: every name the SDK exports, as declared. A change of the contract shows here. */
export function sdkReference(): string {
  const declared = sdkSurface()
  const sections = ENTRIES.map(([entry]) => {
    const own = declared.filter((one) => one.entry === entry)
    const modules = [...new Set(own.map(({ module }) => module))]
    return `## ${entry}\n\n${modules
      .map(
        (module) =>
          `### ${heading(module, entry)}\n\n${own
            .filter((one) => one.module === module)
            .map(section)
            .join('\n')}`,
      )
      .join('\n')}`
  })
  return `# Reference of the SDK

Everything a plugin can import from \`@gateway/sdk\`, and its tests from \`@gateway/testing\`, as the compiler declares it. Made from the sources by \`npm run references\`:
a change here is a change of the contract, and [the rules of versions](../guides/publishing.md#versions) say what it means.

${sections.join('\n')}`
}

const heading = (module: string, entry: string): string => (entry === '@gateway/testing' ? `testing: ${module}` : module)
const section = ({ name, docs, code }: Declaration): string =>
  `#### ${name}\n\n${docs === '' ? '' : `${docs}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`

let surface: readonly Declaration[] | undefined

/** Computed once per process: the compiler takes a few seconds. */
export function sdkSurface(): readonly Declaration[] {
  // Packages are compiled separately: the compiler emits no declarations for packages imported by name.
  surface ??= ['sdk', 'kernel/testing'].flatMap((workspace) => {
    const entries = ENTRIES.filter(([, module]) => module.startsWith(`${workspace}/`))
    const modules = entries.map(([, module]) => module)
    return emitDeclarations(modules, (folder) => entries.flatMap(([entry, module]) => exportsOf(join(folder, `${module}.d.ts`), entry)))
  })
  return surface
}

function emitDeclarations<T>(modules: readonly string[], read: (folder: string) => T): T {
  const out = mkdtempSync(join(tmpdir(), 'gateway-sdk-'))
  try {
    const compilerOptions = {
      noEmit: false,
      emitDeclarationOnly: true,
      noCheck: true,
      rootDir: root,
      outDir: out,
      typeRoots: [join(root, 'node_modules', '@types')],
    }
    const files = modules.map((module) => join(root, `${module}.ts`))
    writeFileSync(join(out, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }))
    const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(out, 'tsconfig.json')], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`the SDK does not compile:\n${stdout}`)
    return read(out)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** Returns the names that a module exports, including re-exports. */
function exportsOf(file: string, entry: string): readonly Declaration[] {
  const chunks = statements(readFileSync(file, 'utf8'))
  return chunks.flatMap(({ docs, code }) => {
    const from = /^export .* from '(.+)\.ts';$/s.exec(code)?.[1]
    if (from === undefined) {
      const name = NAMED.exec(code)?.[1]
      return name === undefined ? [] : [{ entry, module: moduleOf(file), name, docs, code: tidy(code) }]
    }
    const all = exportsOf(join(dirname(file), `${from}.d.ts`), entry)
    const picked = /^export (?:type )?\{(.+)\}/s.exec(code)?.[1]
    if (picked === undefined) return all
    const names = picked.split(',').map((part) => part.replace('type ', '').trim())
    return all.filter(({ name }) => names.includes(name))
  })
}

const NAMED = /^export (?:declare )?(?:abstract )?(?:class|interface|type|const|function) ([A-Za-z_$][\w$]*)/
const moduleOf = (file: string): string => relative(join(file, '..'), file).replace('.d.ts', '')
const tidy = (code: string): string => code.replaceAll('import("typebox").', '').replace(/^export (declare )?/, '')

interface Statement {
  readonly docs: string
  readonly code: string
}

/** Returns the top-level statements of a declaration file: each begins at the margin with a word. */
function statements(text: string): readonly Statement[] {
  const found: { docs: string; code: string }[] = []
  let docs = ''
  for (const part of text.split(/^(?=\/\*\*|\/\/|export |declare |type |interface |import |const )/m)) {
    const comment = /^\/\*\*(.*?)\*\/\n?/s.exec(part)
    if (comment && part.trim() === comment[0].trim()) docs = prose(comment[1] ?? '')
    else if (!part.startsWith('//')) {
      found.push({ docs, code: part.trim() })
      docs = ''
    }
  }
  return found
}

/** Returns a comment without its stars: lines of one paragraph stay lines. */
const prose = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
