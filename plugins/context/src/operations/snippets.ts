import type { States } from '@gateway/plugin-state/api'
import { type CallContext, cutText } from '@gateway/sdk'
import type { BootRecall, Snippet } from '../api.ts'

const MAX_SNIPPET = 800

export interface FoundSnippet extends Snippet {
  readonly source: string
  readonly truncated?: boolean
}
interface Asked {
  readonly query: string
  readonly repo: string
  readonly crossProject: boolean
  readonly limit: number
}

/** Returns snippets near the query, from each source in turn, the nearest first. A source that fails is left out and logged. */
export async function snippetsFor(
  { query, repo, crossProject, limit }: Asked,
  sources: readonly BootRecall[],
  ctx: Pick<CallContext, 'log'>,
): Promise<readonly FoundSnippet[]> {
  const request = { query, nearRepo: repo, limit, ...(!crossProject && { repo }) }
  const lists = await Promise.all(
    sources.map(async ({ source, search }) => {
      try {
        return (await search(request)).map((snippet) => ({ source, ...snippet }))
      } catch (error) {
        ctx.log.warn('A source of snippets was left out', { source, err: error })
        return []
      }
    }),
  )
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const turns = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
  const distinct = turns.filter(({ content }, at) => !turns.slice(0, at).some((before) => isSame(before.content, content)))
  return distinct.slice(0, limit).map(({ content, ...rest }) => {
    const isLong = content.length > MAX_SNIPPET
    return { ...rest, content: cutText(content, MAX_SNIPPET), ...(isLong && { truncated: true }) }
  })
}

/** Two sources may have the same text, one of them with its heading. */
function isSame(a: string, b: string): boolean {
  return a.includes(b.trim()) || b.includes(a.trim())
}

/** Handoffs belong to the neighbouring family and can always be searched. */
export function handoffRecall(states: States): BootRecall {
  return {
    source: 'handoff',
    tool: 'handoff_read',
    async search({ query, repo, limit }) {
      const found = await states.searchHandoffs({ text: query, repo, limit })
      return found.map(({ content, summary, repo, createdAt }) => ({ content, repo, createdAt, ...(summary && { title: summary }) }))
    },
  }
}
