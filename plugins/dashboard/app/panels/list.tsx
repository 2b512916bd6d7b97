import { begin } from '../actions/begin.ts'
import { RowActions } from '../actions/buttons.tsx'
import { recordPath } from '../actions/record.ts'
import { applies } from '../actions/rules.ts'
import type { Scope } from '../arguments.ts'
import type { FieldView, PanelOf } from '../contract.ts'
import { Field, isEmpty } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import type { Drawn } from './drawn.ts'
import { nameOf, rowClass, Title, useRows, Waiting } from './rows.tsx'

export function List({ panel, answer, scope, of }: Drawn<PanelOf<'list'>>) {
  const { rows, waiting, hold, settle } = useRows(panel, answer, of)
  const { title, text, fields } = panel.item
  return (
    <>
      <Waiting count={waiting} settle={settle} />
      <ForAll panel={panel} rows={rows} scope={scope} />
      <ul class="items" {...hold}>
        {rows.map((row) => {
          const own = { ...scope, row: row.value }
          return (
            <li key={row.key} class={rowClass(row)}>
              <div class="item">
                <div class="title">
                  <Title field={title} scope={own} open={panel.open} />
                </div>
                {text && !isEmpty(at(row.value, text.value)) && (
                  <div class="text">
                    <Field field={text} scope={own} />
                  </div>
                )}
                <Facts fields={fields} scope={own} />
              </div>
              <RowActions
                actions={panel.actions}
                target={{ name: nameOf(row.value, title), scope: own }}
                record={recordPath(panel.open, title, own)}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}

function ForAll({ panel, rows, scope }: { panel: PanelOf<'list'>; rows: readonly { readonly value: unknown }[]; scope: Scope }) {
  return (
    <>
      {panel.actions.map((action) => {
        const fitting = action.all === undefined ? [] : rows.filter(({ value }) => applies(action, value))
        if (fitting.length < 2) return null
        const targets = fitting.map(({ value }) => ({ name: nameOf(value, panel.item.title), scope: { ...scope, row: value } }))
        return (
          <button type="button" key={action.id} class="quiet for-all" onClick={() => begin(action, targets)}>
            {action.all} ({fitting.length})
          </button>
        )
      })}
    </>
  )
}

export function Facts({ fields, scope }: { fields: readonly FieldView[]; scope: Scope }) {
  const known = fields.filter((field) => !isEmpty(at(scope.row, field.value)))
  if (known.length === 0) return null
  return (
    <dl class="facts">
      {known.map((field) => (
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
