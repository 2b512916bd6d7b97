import { RowActions } from '../actions/buttons.tsx'
import { recordPath } from '../actions/record.ts'
import type { PanelOf } from '../contract.ts'
import { Field, isEmpty, Time } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import type { Drawn } from './drawn.ts'
import { Facts } from './list.tsx'
import { nameOf, rowClass, Title, useRows, Waiting } from './rows.tsx'

export function Timeline({ panel, answer, scope, of }: Drawn<PanelOf<'timeline'>>) {
  const { rows, waiting, hold, settle } = useRows(panel, answer, of)
  return (
    <>
      <Waiting count={waiting} settle={settle} />
      <ol class="moments" {...hold}>
        {rows.map((row) => {
          const own = { ...scope, row: row.value }
          return (
            <li key={row.key} class={rowClass(row)}>
              <div class="when">
                <Time value={at(row.value, panel.at)} />
              </div>
              <div class="item">
                <div class="title">
                  <Title field={panel.head} scope={own} open={panel.open} />
                </div>
                {panel.text && !isEmpty(at(row.value, panel.text.value)) && (
                  <div class="text">
                    <Field field={panel.text} scope={own} />
                  </div>
                )}
                <Facts fields={panel.fields} scope={own} />
              </div>
              <RowActions target={{ name: nameOf(row.value, panel.head), scope: own }} record={recordPath(panel.open, panel.head, own)} />
            </li>
          )
        })}
      </ol>
    </>
  )
}
