import { RowActions } from '../actions/buttons.tsx'
import type { Scope } from '../arguments.ts'
import type { FieldView, PanelOf } from '../contract.ts'
import { Field } from '../parts/value.tsx'
import type { Drawn } from './drawn.ts'
import { nameOf, rowClass, Title, useRows, Waiting } from './rows.tsx'

export function List({ panel, answer, scope, of }: Drawn<PanelOf<'list'>>) {
  const { rows, waiting, hold, settle } = useRows(panel, answer, of)
  const { title, text, fields } = panel.item
  return (
    <>
      <Waiting count={waiting} settle={settle} />
      <ul class="items" {...hold}>
        {rows.map((row) => {
          const own = { ...scope, row: row.value }
          return (
            <li key={row.key} class={rowClass(row)}>
              <div class="item">
                <div class="title">
                  <Title field={title} scope={own} open={panel.open} />
                </div>
                {text && (
                  <div class="text">
                    <Field field={text} scope={own} />
                  </div>
                )}
                <Facts fields={fields} scope={own} />
              </div>
              <RowActions actions={panel.actions} target={{ name: nameOf(row.value, title), scope: own }} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** Small facts in one line. */
export function Facts({ fields, scope }: { fields: readonly FieldView[]; scope: Scope }) {
  if (fields.length === 0) return null
  return (
    <dl class="facts">
      {fields.map((field) => (
        <div key={field.label}>
          <dt>{field.label}</dt>
          <dd>
            <Field field={field} scope={scope} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
