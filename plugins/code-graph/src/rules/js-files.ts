import { JS_ENDINGS, languageOf } from './languages.ts'
import { join } from './paths.ts'
import type { SourceFiles } from './resolve.ts'

/** Endings that are written for the file as it will be compiled, and those it may be compiled from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

/** The source file that a path without a doubt means: itself, with another ending, or the index of a folder. */
export function fileAt(files: SourceFiles, base: string): string | undefined {
  if (languageOf(base) === 'js' && files.has(base)) return base
  const written = /\.[cm]?jsx?$/.exec(base)?.[0]
  if (written !== undefined) {
    const stem = base.slice(0, -written.length)
    for (const ending of SOURCES[written] ?? []) if (files.has(stem + ending)) return stem + ending
  }
  return withEnding(files, base) ?? indexAt(files, base)
}

/** The index of a folder, when the path can mean nothing else. */
export function indexAt(files: SourceFiles, folder: string): string | undefined {
  return withEnding(files, folder === '' ? 'index' : `${folder}/index`)
}

function withEnding(files: SourceFiles, stem: string): string | undefined {
  for (const ending of JS_ENDINGS) if (files.has(stem + ending)) return stem + ending
  return undefined
}

/** Folders that are built, whose sources stand elsewhere. */
const BUILT = /^(?:dist|lib|build|out|es|esm|cjs|types|typings)(?:\/(?:esm?|cjs|types|src|node|browser|(?:dev|prod)))*(?=\/|$)/

/** A file that a package names, or the source that it is built from. */
export function fileOfPackage(files: SourceFiles, folder: string, target: string): string | undefined {
  const path = join('', target)
  if (path === undefined) return undefined
  const stem = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
  const candidates = BUILT.test(path) ? [path, stem.replace(BUILT, 'src'), stem.replace(/^[^/]+\//, '')] : [path, stem]
  for (const candidate of candidates) {
    const found = fileAt(files, join(folder, candidate) ?? '')
    if (found !== undefined) return found
  }
  return undefined
}
