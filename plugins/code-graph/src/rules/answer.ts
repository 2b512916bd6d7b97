import { dependentsOf } from './dependents.ts'
import type { EdgeType, Graph } from './graph.ts'
import { type Impact, impactOf } from './impact.ts'
import { isTest } from './languages.ts'
import { symbolId } from './links.ts'
import { neighborsOf, nodesNamed } from './neighbors.ts'
import type { Answers, AnswerTo, Pr, Question, Triaged } from './questions.ts'
import { countsOf, riskOf } from './risk.ts'
import { shortestPathOf } from './shortest-path.ts'

/** Maximum length of a list in an answer: an agent reads no more, and the counts give the total. */
const MAX_LISTED = 500
const MAX_SYMBOLS_OF_NAME = 50

export function answer<Q extends Question>(graph: Graph, question: Q): AnswerTo<Q>
export function answer(graph: Graph, question: Question): Answers[Question['kind']] {
  switch (question.kind) {
    case 'impact':
      return impactAnswer(impactOf(graph, question.files, question.maxDepth))
    case 'triage':
      return { prs: triage(graph, question.prs, question.maxDepth) }
    case 'neighbors':
      return neighborsAnswer(graph, question)
    case 'dependents':
      return dependentsOf(graph, nodesNamed(graph, question.node).slice(0, MAX_SYMBOLS_OF_NAME), isTest, question)
    case 'path':
      return pathAnswer(graph, question.src, question.dst, question.types)
  }
}

function impactAnswer(impact: Impact): Answers['impact'] {
  const { affectedFiles, callers, affectedTests, untestedFiles, unknownFiles } = impact
  return {
    affectedFiles: affectedFiles.slice(0, MAX_LISTED),
    callers: callers.slice(0, MAX_LISTED),
    affectedTests: affectedTests.slice(0, MAX_LISTED),
    untestedFiles: untestedFiles.slice(0, MAX_LISTED),
    unknownFiles: unknownFiles.slice(0, MAX_LISTED),
    counts: { affectedFiles: affectedFiles.length, callers: callers.length, affectedTests: affectedTests.length },
    truncated: [affectedFiles, callers, affectedTests, untestedFiles, unknownFiles].some(({ length }) => length > MAX_LISTED),
  }
}

/** Maximum number of files named per pull request. */
const MAX_NAMED = 20

function triage(graph: Graph, prs: readonly Pr[], maxDepth: number): Triaged[] {
  const changers = new Map<string, string[]>()
  for (const { id, files } of prs) for (const file of new Set(files)) changers.set(file, [...(changers.get(file) ?? []), id])
  const ranked = prs.map(({ id, files }) => {
    const changed = [...new Set(files)]
    const impact = impactOf(graph, changed, maxDepth)
    const shared = changed.filter((file) => (changers.get(file)?.length ?? 0) > 1)
    const counts = countsOf(changed, impact, shared.length)
    return {
      id,
      ...riskOf(counts),
      changedFiles: counts.changedFiles,
      affectedFiles: counts.affectedFiles,
      callers: counts.callers,
      affectedTests: impact.affectedTests.length,
      untestedFiles: impact.untestedFiles.slice(0, MAX_NAMED),
      unknownFiles: impact.unknownFiles.slice(0, MAX_NAMED),
      sharesFilesWith: [...new Set(shared.flatMap((file) => changers.get(file) ?? []))].filter((other) => other !== id),
    }
  })
  // Equal ones keep their original order.
  return ranked.sort((a, b) => b.risk - a.risk)
}

function neighborsAnswer(graph: Graph, { node, direction, types }: Extract<Question, { kind: 'neighbors' }>): Answers['neighbors'] {
  const nodes = nodesNamed(graph, node)
  const wanted = new Set(types)
  const all = nodes.slice(0, MAX_SYMBOLS_OF_NAME).flatMap((one) => neighborsOf(graph, one, direction, wanted))
  return {
    nodes: nodes.slice(0, MAX_SYMBOLS_OF_NAME).map(({ file, symbol }) => symbolId(file, symbol)),
    neighbors: all.slice(0, MAX_LISTED),
    count: all.length,
    truncated: nodes.length > MAX_SYMBOLS_OF_NAME || all.length > MAX_LISTED,
  }
}

function pathAnswer(graph: Graph, src: string, dst: string, types: readonly EdgeType[]): Answers['path'] {
  const from = nodesNamed(graph, src).map(({ file }) => file)
  const to = new Set(nodesNamed(graph, dst).map(({ file }) => file))
  if (from.length === 0) return { unknown: 'src' }
  if (to.size === 0) return { unknown: 'dst' }
  return { path: shortestPathOf(graph, [...new Set(from)], to, new Set(types)) ?? null }
}
