import { JS_ENDINGS, languageOf } from './languages.ts'
import { join } from './paths.ts'
import type { SourceFiles } from './resolve.ts'

/** Endings as written for the compiled file, and the endings it may be compiled from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}
/** Declaration files and the scripts that they may describe. */
const DESCRIBED: Readonly<Record<string, readonly string[]>> = { '.d.ts': ['.js', '.jsx'], '.d.mts': ['.mjs'], '.d.cts': ['.cjs'] }
const DESCRIBING: Readonly<Record<string, string>> = { '.js': '.d.ts', '.jsx': '.d.ts', '.mjs': '.d.mts', '.cjs': '.d.cts' }

/** Source files with the platform endings that the repo uses. */
export interface JsFiles extends SourceFiles {
  readonly platforms: Iterable<string>
}

/**
 * Returns the source files that a path can mean: the path itself, with other endings, for each platform, or the index of a
 * folder.
 */
export function filesAt(files: JsFiles, base: string): readonly string[] {
  const [, stem = base, written = ''] = /^(.*?)((?:\.d)?\.[cm]?[jt]sx?)$/.exec(base) ?? []
  const found = forPlatforms(files, (platform) => (platform === '' ? fileAt(files, base) : fileAt(files, `${stem}${platform}${written}`)))
  return found.length > 0 ? found : indexesAt(files, base)
}

/** Returns the index of a folder, when the path can mean nothing else. */
export function indexesAt(files: JsFiles, folder: string): readonly string[] {
  const index = folder === '' ? 'index' : `${folder}/index`
  return forPlatforms(files, (platform) => withEnding(files, index + platform))
}

function forPlatforms(files: JsFiles, at: (platform: string) => string | undefined): readonly string[] {
  const found = ['', ...files.platforms].flatMap((platform) => at(platform) ?? [])
  return found.length === 0 ? found : [...new Set(found.flatMap((path) => [path, ...twins(files, path)]))]
}

/**
 * Returns a declaration file and the script it describes. Both are part of the import: types from the declaration, code from the
 * script.
 */
function twins(files: SourceFiles, path: string): readonly string[] {
  const [, stem = '', ending = ''] = /^(.*?)((?:\.d)?\.[cm]?[jt]sx?)$/.exec(path) ?? []
  const endings = DESCRIBED[ending] ?? DESCRIBING[ending] ?? []
  return [endings].flat().flatMap((one) => (files.has(stem + one) ? [stem + one] : []))
}

function fileAt(files: SourceFiles, base: string): string | undefined {
  if (languageOf(base) === 'js' && files.has(base)) return base
  const written = /\.[cm]?jsx?$/.exec(base)?.[0]
  if (written !== undefined) {
    const stem = base.slice(0, -written.length)
    for (const ending of SOURCES[written] ?? []) if (files.has(stem + ending)) return stem + ending
  }
  return withEnding(files, base)
}

function withEnding(files: SourceFiles, stem: string): string | undefined {
  for (const ending of JS_ENDINGS) if (files.has(stem + ending)) return stem + ending
  return undefined
}

/** Build output folders, whose sources are elsewhere. */
const BUILT = /^(?:dist|lib|build|out|es|esm|cjs|types|typings)(?:\/(?:esm?|cjs|types|src|node|browser|(?:dev|prod)))*(?=\/|$)/

/** Returns the files that a package names, or the sources that they are built from. */
export function filesOfPackage(files: JsFiles, folder: string, target: string): readonly string[] {
  const path = join('', target)
  if (path === undefined) return []
  const stem = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
  const candidates = BUILT.test(path) ? [path, stem.replace(BUILT, 'src'), stem.replace(/^[^/]+\//, '')] : [path, stem]
  for (const candidate of candidates) {
    const found = filesAt(files, join(folder, candidate) ?? '')
    if (found.length > 0) return found
  }
  return []
}
