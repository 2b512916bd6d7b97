import type { Graph } from './graph.ts'
import { isTest, JS_ENDINGS } from './languages.ts'
import { symbolId } from './links.ts'
import { withoutPlatform } from './platforms.ts'

interface Affected {
  readonly file: string
  /** Number of imports in between. */
  readonly depth: number
}
interface Caller {
  /** `path#symbol`, or the path where the module itself calls. */
  readonly caller: string
  readonly calls: string
}
export interface Impact {
  readonly affectedFiles: Affected[]
  readonly callers: Caller[]
  readonly affectedTests: string[]
  /** Changed files that are not in the graph: gone, new to it, or of another language. */
  readonly unknownFiles: string[]
  /** Changed sources without a known test. */
  readonly untestedFiles: string[]
}

/**
 * Returns what a change of these files reaches: their importers up to `maxDepth` imports away, callers of what they define, and
 * tests.
 */
export function impactOf(graph: Graph, changed: readonly string[], maxDepth: number): Impact {
  const own = new Set(changed)
  const affectedFiles = blastRadius(graph, own, maxDepth)
  const reached = [...own, ...affectedFiles.map(({ file }) => file)]
  const tests = new Set(reached.filter((file) => isTest(file) && graph.facts.has(file)))
  for (const file of reached) for (const test of graph.testers(file)) tests.add(test)
  const known = [...own].filter((file) => graph.facts.has(file))
  return {
    affectedFiles,
    callers: callersOf(graph, own),
    affectedTests: [...tests].sort(),
    unknownFiles: [...own].filter((file) => !graph.facts.has(file)),
    untestedFiles: known.filter((file) => !isTest(file) && graph.testers(file).size === 0),
  }
}

function blastRadius(graph: Graph, own: ReadonlySet<string>, maxDepth: number): Affected[] {
  const seen = new Set(own)
  const found: Affected[] = []
  let level = [...own]
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth++) {
    const next: string[] = []
    for (const file of level) {
      for (const importer of importersOf(graph, file)) {
        if (seen.has(importer)) continue
        seen.add(importer)
        next.push(importer)
      }
    }
    for (const file of next.sort()) found.push({ file, depth })
    level = next
  }
  return found
}

/** Yields a file's importers. For a removed file, these are the files that still import it. */
function* importersOf(graph: Graph, file: string): Generator<string> {
  yield* graph.importers(file)
  if (!graph.facts.has(file)) for (const base of basesOf(file)) yield* graph.wouldImport(base)
}

/** Returns the ways a path may be written where it is imported. */
function basesOf(file: string): string[] {
  const ending = [...JS_ENDINGS, '.pyi', '.py'].filter((one) => file.endsWith(one)).sort((a, b) => b.length - a.length)[0]
  if (ending === undefined) return [file]
  const stems = [...new Set([file, withoutPlatform(file)])].map((one) => one.slice(0, -ending.length))
  const written = stems.flatMap((stem) => [stem, `${stem}.js`, `${stem}.jsx`, `${stem}.mjs`, `${stem}.cjs`])
  const folders = stems.flatMap((stem) => /^(?:(.*)\/)?(?:index|__init__)$/.exec(stem)?.slice(1) ?? [])
  return [file, ...written, ...folders.map((folder) => folder ?? '')]
}

function callersOf(graph: Graph, own: ReadonlySet<string>): Caller[] {
  const found = new Map<string, Caller>()
  for (const file of own) {
    for (const from of graph.callers(file)) {
      if (own.has(from)) continue
      for (const call of graph.links(from)?.calls ?? []) {
        if (call.file !== file) continue
        const one = { caller: symbolId(from, call.by), calls: symbolId(call.file, call.symbol) }
        found.set(`${one.caller}\0${one.calls}`, one)
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.caller < b.caller ? -1 : a.caller > b.caller ? 1 : a.calls < b.calls ? -1 : 1))
}
