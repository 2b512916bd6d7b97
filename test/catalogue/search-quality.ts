import type { ToolInfo } from '@gateway/sdk'
import { ToolIndex } from '../../plugins/discovery/src/rules/tool-index.ts'
import { questions } from './catalogue.ts'

export interface Quality {
  /** Share of questions with a right answer among the first five. */
  readonly recallAt5: number
  /** Mean of 1, 1/2, 1/3 … by the rank of the first right answer; 0 when it is not found. */
  readonly meanReciprocalRank: number
  /** Questions without a right answer among the first five, with the results they got. */
  readonly missed: readonly string[]
}

/** Measures how well the questions find these tools. */
export function searchQuality(tools: readonly ToolInfo[]): Quality {
  const index = new ToolIndex(tools)
  const missed: string[] = []
  let reciprocal = 0
  for (const { question, expected } of questions) {
    const found = index.search(question).map(({ name }) => name)
    const rank = found.findIndex((name) => expected.includes(name)) + 1
    if (rank > 0) reciprocal += 1 / rank
    if (rank === 0 || rank > 5) missed.push(`${question} → ${expected.join(' or ')}, not ${found.slice(0, 5).join(', ')}`)
  }
  return { recallAt5: 1 - missed.length / questions.length, meanReciprocalRank: reciprocal / questions.length, missed }
}
