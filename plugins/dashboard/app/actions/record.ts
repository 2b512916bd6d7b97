import { send, wireOf } from '../api.ts'
import { argumentsOf, linkTo, type Scope } from '../arguments.ts'
import type { ActionView, FieldView, LinkView, PageView, PanelOf } from '../contract.ts'
import { nameOf } from '../panels/rows.tsx'
import { at } from '../pointer.ts'
import { match, pathOf } from '../router.ts'
import { pages } from '../session.ts'
import { applies } from './rules.ts'
import type { Target } from './target.ts'

export interface RecordAction {
  readonly action: ActionView
  readonly target: Target
}

const recordOf = ({ panels }: PageView): PanelOf<'detail'> | undefined =>
  panels.find((panel): panel is PanelOf<'detail'> => panel.kind === 'detail' && panel.actions.length > 0)

/** Path of the page of a row's record, if that page has actions on it: by the link that opens the row, or by the path in its data. */
export function recordPath(open: LinkView | undefined, head: FieldView | undefined, scope: Scope): string | undefined {
  const address = open ? linkTo(open, scope) : undefined
  const given = head?.page === undefined ? undefined : at(scope.row, head.page)
  const path = address === undefined ? given : pathOf(address)
  return typeof path === 'string' && hasActions(path) ? path : undefined
}

export function hasActions(path: string): boolean {
  const page = match(pages.value, path.split('?')[0] as string)?.page
  return page !== undefined && !page.menu && recordOf(page) !== undefined
}

/** Reads the record of a page, and returns its actions; none if it is gone, or cannot be read. */
export async function actionsAt(path: string): Promise<readonly RecordAction[]> {
  const [place = '', query = ''] = path.split('?')
  const found = match(pages.peek(), place)
  const panel = found && recordOf(found.page)
  if (!found || !panel) return []
  const scope: Scope = { params: found.params, query: new URLSearchParams(query) }
  const answer = await send(wireOf(panel.source, argumentsOf(panel.source, scope)))
  const row = answer.ok ? at(answer.data, panel.record) : undefined
  if (row === undefined || row === null) return []
  const name = nameOf(row, panel.names === undefined ? (panel.fields[0] as FieldView) : { value: panel.names })
  return panel.actions.filter((action) => applies(action, row)).map((action) => ({ action, target: { name, scope: { ...scope, row } } }))
}
