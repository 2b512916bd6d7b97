import { brainSearch } from './recall/brain-search.ts'
import { developmentSet, type Question } from './recall/questions.ts'
import { memorySearch, plainWords, type Ranker, type Ranking, vectorsAlone } from './recall/rankings.ts'

export interface Quality {
  readonly questions: number
  /** Share of the answering items that are among the first 1, 5 and 10. */
  readonly recall1: number
  readonly recall5: number
  readonly recall10: number
  /** Mean reciprocal rank of the first item that answers. */
  readonly mrr: number
}
export interface RecallFigures {
  readonly part: string
  readonly heldOut: boolean
  readonly ranking: string
  readonly quality: Quality
}

/** Measures recall for questions in other words. All parts share one index, as in real use. */
export async function measureRecall(models: string | undefined): Promise<readonly RecallFigures[]> {
  const parts = developmentSet()
  const items = parts.flatMap((part) => part.items)
  const documents = new Set(parts.find(({ name }) => name === 'documents')?.items)
  const rankers: [string, Ranker][] = [
    ['plain FTS5, any word, stemmed', await plainWords(items)],
    ['memory_search by words', await memorySearch(items)],
    ...(await brainSearch(items, (item) => documents.has(item))),
  ]
  if (models !== undefined) {
    rankers.push(['vectors alone', await vectorsAlone(items, models)], ['memory_search by both', await memorySearch(items, models)])
  }
  const figures: RecallFigures[] = []
  for (const { name, questions } of parts) {
    for (const heldOut of [false, true]) {
      const asked = questions.filter((question) => question.heldOut === heldOut)
      for (const [ranking, { rank }] of rankers) figures.push({ part: name, heldOut, ranking, quality: await qualityOf(asked, rank) })
    }
  }
  for (const [, ranker] of rankers) await ranker.close()
  return figures
}

async function qualityOf(questions: readonly Question[], rank: Ranking): Promise<Quality> {
  const sums = { recall1: 0, recall5: 0, recall10: 0, mrr: 0 }
  for (const { text, answers } of questions) {
    const found = await rank(text)
    const share = (k: number): number => answers.filter((id) => found.slice(0, k).includes(id)).length / Math.min(k, answers.length)
    sums.recall1 += share(1)
    sums.recall5 += share(5)
    sums.recall10 += share(10)
    const first = found.findIndex((id) => answers.includes(id))
    sums.mrr += first === -1 ? 0 : 1 / (first + 1)
    if (process.env.RECALL_MISSES && first !== 0) console.error(first, text)
  }
  const mean = (sum: number): number => sum / questions.length
  return {
    questions: questions.length,
    recall1: mean(sums.recall1),
    recall5: mean(sums.recall5),
    recall10: mean(sums.recall10),
    mrr: mean(sums.mrr),
  }
}

export function recallMarkdown(figures: readonly RecallFigures[]): string {
  const row = ({ part, heldOut, ranking, quality }: RecallFigures): string =>
    `| ${part}${heldOut ? ', held out' : ''} (${quality.questions}) | ${ranking} | ${[quality.recall1, quality.recall5, quality.recall10, quality.mrr].map((n) => n.toFixed(3)).join(' | ')} |`
  return ['| questions | ranking | R@1 | R@5 | R@10 | MRR |', '| --- | --- | --: | --: | --: | --: |', ...figures.map(row)].join('\n')
}
