export type Language = 'js' | 'python'

/** In the order in which TypeScript tries them for a path without an ending. */
export const JS_ENDINGS = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.mts',
  '.d.mts',
  '.cts',
  '.d.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.vue',
  '.svelte',
] as const

export function languageOf(path: string): Language | undefined {
  if (/\.(?:[cm]?[jt]s|[jt]sx|vue|svelte|astro|mdx)$/.test(path)) return 'js'
  return /\.pyi?$/.test(path) ? 'python' : undefined
}

const OTHER_SOURCE =
  /\.(?:go|rs|java|kts?|scala|groovy|rb|php|cs|fsx?|vb|swift|mm?|c|h|cc|cpp|cxx|hpp|hh|hxx|dart|exs?|erl|hs|ml|cljs?|cljc|lua|pl|pm|jl|zig|nim|sol|elm|coffee|civet|marko|imba|ipynb|pyx)$/
/** Sources whose imports are not read. */
export const isOtherSource = (name: string): boolean => OTHER_SOURCE.test(name)

export function isConfig(name: string): boolean {
  return (
    name === 'package.json' ||
    name === 'pnpm-workspace.yaml' ||
    name === 'base.json' ||
    /^[jt]sconfig[\w.-]*\.json$/.test(name) ||
    name === 'pyproject.toml' ||
    name === 'setup.py' ||
    name === 'setup.cfg'
  )
}

/** True if the path is a test by the convention of the common test runners. */
export function isTest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (languageOf(path) === 'python') return /^test_.*\.py$|_test\.py$|^conftest\.py$/.test(name)
  return /[.\-_](?:test|spec)s?\.[cm]?[jt]sx?$|^(?:test|spec)\.[cm]?[jt]sx?$/.test(name) || /(?:^|\/)__tests__\//.test(path)
}
