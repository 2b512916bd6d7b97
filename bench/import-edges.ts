import { readFileSync } from 'node:fs'
import { startGateway } from './processes.ts'
import { toolCalls } from './tool-calls.ts'

const AT_ONCE = 8
const SHOWN = 20
const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/

/** Output of dependency-cruiser with `--output-type json`. */
interface Cruised {
  readonly modules: readonly {
    readonly source: string
    readonly couldNotResolve?: boolean
    readonly dependencies: readonly { readonly resolved: string; readonly couldNotResolve: boolean; readonly coreModule: boolean }[]
  }[]
}
interface Neighbor {
  readonly node: string
  readonly kind: string
}
export interface EdgeFigures {
  readonly files: number
  readonly both: number
  readonly onlyTheirs: readonly string[]
  readonly onlyOurs: readonly string[]
}

/** Compares the import edges of the code graph with those that dependency-cruiser found in the same folder. */
export async function compareEdges(repo: string, cruised: string, dataDir: string): Promise<EdgeFigures> {
  const theirs = edgesOf(JSON.parse(readFileSync(cruised, 'utf8')) as Cruised)
  const gateway = await startGateway(dataDir)
  try {
    await using calls = toolCalls(gateway, AT_ONCE)
    const files = [...theirs.keys()]
    const [both, onlyTheirs, onlyOurs]: [string[], string[], string[]] = [[], [], []]
    const compare = async (file: string): Promise<void> => {
      const { neighbors } = (await calls.call('get_neighbors', { repo, node: file, edgeTypes: ['import'] })) as { neighbors: Neighbor[] }
      const ours = new Set(neighbors.filter(({ kind }) => kind === 'file').map(({ node }) => node))
      for (const to of theirs.get(file) ?? []) (ours.delete(to) ? both : onlyTheirs).push(`${file} → ${to}`)
      for (const to of ours) onlyOurs.push(`${file} → ${to}`)
    }
    for (let from = 0; from < files.length; from += AT_ONCE) await Promise.all(files.slice(from, from + AT_ONCE).map(compare))
    return { files: files.length, both: both.length, onlyTheirs, onlyOurs }
  } finally {
    await gateway.stop()
  }
}

function edgesOf({ modules }: Cruised): ReadonlyMap<string, ReadonlySet<string>> {
  const isOurs = (path: string): boolean => SOURCE.test(path) && !path.includes('node_modules/')
  return new Map(
    modules.flatMap(({ source, couldNotResolve, dependencies }) => {
      if (couldNotResolve || !isOurs(source)) return []
      const found = dependencies.filter((one) => !one.couldNotResolve && !one.coreModule && isOurs(one.resolved) && one.resolved !== source)
      return [[source, new Set(found.map(({ resolved }) => resolved))] as const]
    }),
  )
}

export function edgesMarkdown({ files, both, onlyTheirs, onlyOurs }: EdgeFigures): string {
  const share = (100 * both) / (both + onlyTheirs.length + onlyOurs.length)
  const some = (edges: readonly string[]): string[] => edges.slice(0, SHOWN).map((edge) => `  - ${edge}`)
  return [
    `${files} files; ${both} edges that both have, ${share.toFixed(2)} % of all.`,
    `- ${onlyTheirs.length} that only dependency-cruiser has`,
    ...some(onlyTheirs),
    `- ${onlyOurs.length} that only the graph has`,
    ...some(onlyOurs),
  ].join('\n')
}
