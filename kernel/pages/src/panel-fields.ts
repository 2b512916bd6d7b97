import type { Field, FieldSpec, Fields, Panel } from '@gateway/sdk'

export const asField = (field: Field<unknown>): FieldSpec<unknown> => (typeof field === 'string' ? { value: field } : field)

/** Columns of a table are fields; those of a board are not. */
export const tableColumns = ({ kind, columns }: Panel): Fields<unknown> => (kind === 'table' ? (columns as Fields<unknown>) : {})
export const boardColumns = ({ kind, columns }: Panel): readonly { value: string; label?: string; tone?: string }[] =>
  kind === 'board' ? (columns as readonly { value: string; label?: string }[]) : []

/** The fields of a panel with their labels: they point into a row or record, or into the answer for stats and texts. */
export function fieldsOf(panel: Panel): readonly (readonly [label: string, field: FieldSpec<unknown>])[] {
  const named = Object.entries({ ...panel.items, ...panel.fields, ...panel.lines, ...tableColumns(panel) })
  const single = Object.entries({ head: panel.head, text: panel.text }).flatMap(([name, field]) =>
    field === undefined ? [] : [[name, field] as const],
  )
  return [...named, ...single].map(([label, field]) => [label, asField(field)] as const)
}
