import type { AskingPanel, PanelOf } from './contract.ts'
import { at } from './pointer.ts'

export interface AnswerPage {
  readonly cursor: string | undefined
  readonly answer: unknown
}

/** A list whose pages follow each other in one table, instead of taking each other's place. */
export type EndlessPanel = PanelOf<'table'> | PanelOf<'list'>
export const isEndless = (panel: AskingPanel): panel is EndlessPanel =>
  panel.paging !== undefined && (panel.kind === 'table' || panel.kind === 'list')

export function nextOf(panel: AskingPanel, answer: unknown): string | undefined {
  const next = panel.paging && at(answer, panel.paging.next)
  return typeof next === 'string' && next !== '' ? next : undefined
}

/**
 * The pages as one answer. A row that has moved to another page since that was read appears once, where it was read last. Rows keep their
 * identity, so that the page of each can be found.
 */
export function combined(panel: EndlessPanel, pages: readonly AnswerPage[]): unknown {
  const [first] = pages
  if (first === undefined || pages.length === 1) return first?.answer
  const seen = new Set<unknown>()
  const rows = pages.flatMap(({ answer }) => {
    const found = at(answer, panel.rows)
    if (!Array.isArray(found)) return []
    return found.filter((row) => {
      const key = at(row, panel.key)
      if (key !== undefined && seen.has(key)) return false
      seen.add(key)
      return true
    })
  })
  return withValue(first.answer, panel.rows, rows)
}

function withValue(whole: unknown, pointer: string, value: unknown): unknown {
  if (pointer === '') return value
  const [name = '', ...rest] = pointer.slice(1).split('/')
  const member = name.replaceAll('~1', '/').replaceAll('~0', '~')
  const inside = (whole as Readonly<Record<string, unknown>> | undefined)?.[member]
  return { ...(whole as object), [member]: withValue(inside, rest.length === 0 ? '' : `/${rest.join('/')}`, value) }
}

/** The pages after one of them was read again: those behind a last page are gone. */
export function withPage(pages: readonly AnswerPage[], index: number, page: AnswerPage, isLast: boolean): readonly AnswerPage[] {
  const before = pages.slice(0, index)
  return isLast ? [...before, page] : [...before, page, ...pages.slice(index + 1)]
}
