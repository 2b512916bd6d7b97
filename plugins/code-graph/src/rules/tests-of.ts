import { JS_ENDINGS, languageOf } from './languages.ts'
import { nameOf, parentOf } from './paths.ts'
import type { SourceFiles } from './resolve.ts'

const TEST_FOLDERS = new Set(['__tests__', 'test', 'tests'])

/** Returns the file of the same name next to a test, or next to its folder. */
export function testedByName(test: string, files: SourceFiles): string[] {
  const folder = parentOf(test)
  const folders = TEST_FOLDERS.has(nameOf(folder)) ? [folder, parentOf(folder)] : [folder]
  const python = languageOf(test) === 'python'
  const stem = python
    ? nameOf(test).replace(/^test_|_test(?=\.py$)|\.py$/g, '')
    : nameOf(test).replace(/(?:[.\-_](?:test|spec)s?)?\.[cm]?[jt]sx?$/, '')
  const endings = python ? ['.py'] : JS_ENDINGS
  return folders.flatMap((at) => endings.map((ending) => `${at === '' ? '' : `${at}/`}${stem}${ending}`)).filter((path) => files.has(path))
}
