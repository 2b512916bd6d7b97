import { useMemo } from 'preact/hooks'
import type { Scope } from '../arguments.ts'
import { linkTo } from '../arguments.ts'
import type { FieldView, LinkView } from '../contract.ts'
import { type HeldRow, useHeldRows } from '../held-rows.ts'
import { Field } from '../parts/value.tsx'
import { at, rowsAt } from '../pointer.ts'
import { cut, plain } from '../text.ts'

/** The rows of a panel, held still under the pointer. */
export function useRows(panel: { readonly rows: string; readonly key?: string }, answer: unknown, of: string) {
  const rows = useMemo(() => rowsAt(answer, panel.rows, panel.key ?? '/$none'), [answer, panel.rows, panel.key])
  return useHeldRows(rows, of)
}

export const nameOf = (row: unknown, field: Pick<FieldView, 'value'>): string => cut(plain(at(row, field.value)), 120)

export const rowClass = ({ gone, changed }: HeldRow): string | undefined => (gone ? 'gone' : changed ? 'changed' : undefined)

export function Title({ field, scope, open }: { field: FieldView; scope: Scope; open?: LinkView | undefined }) {
  const address = open && linkTo(open, scope)
  if (address === undefined) return <Field field={field} scope={scope} />
  return (
    <a class="opens" href={address}>
      <Field field={bare(field)} scope={scope} />
    </a>
  )
}

/** Removes the link of a field, because links cannot be nested. */
function bare(field: FieldView): FieldView {
  const { link: _link, ...rest } = field
  return rest
}

/** Shows the number of rows that wait until the pointer has left. */
export function Waiting({ count, settle }: { count: number; settle: () => void }) {
  if (count === 0) return null
  return (
    <button type="button" class="quiet waiting" onClick={settle}>
      {count} new
    </button>
  )
}
