import { type Refusal, send, wireOf } from '../api.ts'
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

/** The actions of a record; none if it is gone, and the refusal if it cannot be read. */
export interface OfRecord {
  readonly actions: readonly RecordAction[]
  readonly refusal?: Refusal
}

const NONE: OfRecord = { actions: [] }

/** Reads the record of a page, and returns its actions. */
export async function actionsAt(path: string): Promise<OfRecord> {
  const [place = '', query = ''] = path.split('?')
  const found = match(pages.peek(), place)
  const panel = found && recordOf(found.page)
  if (!found || !panel) return NONE
  const scope: Scope = { params: found.params, query: new URLSearchParams(query) }
  const answer = await send(wireOf(panel.source, argumentsOf(panel.source, scope)))
  if (!answer.ok) return answer.refusal.status === 404 ? NONE : { ...NONE, refusal: answer.refusal }
  const row = at(answer.data, panel.record)
  if (row === undefined || row === null) return NONE
  const name = nameOf(row, panel.names === undefined ? (panel.fields[0] as FieldView) : { value: panel.names })
  const actions = panel.actions.filter((action) => applies(action, row))
  return { actions: actions.map((action) => ({ action, target: { name, scope: { ...scope, row } } })) }
}
