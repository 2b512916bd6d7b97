import type { PanelOf, Tone } from '../contract.ts'
import { Badge, Text, Time } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import { plain } from '../text.ts'
import type { Drawn } from './drawn.ts'
import { Facts } from './list.tsx'
import { useRows } from './rows.tsx'

const TONES: Readonly<Record<string, Tone>> = {
  fatal: 'bad',
  critical: 'bad',
  error: 'bad',
  warn: 'warn',
  warning: 'warn',
  info: 'info',
}

export function Log({ panel, answer, scope, of }: Drawn<PanelOf<'log'>>) {
  const { rows, hold } = useRows(panel, answer, of)
  return (
    <div class="log" role="log" aria-live="off" aria-label={panel.title} tabIndex={0} {...hold}>
      <ol>
        {rows.map((row) => {
          const level = panel.level && at(row.value, panel.level)
          return (
            <li key={row.key}>
              {panel.at && <Time value={at(row.value, panel.at)} />}
              {level !== undefined && level !== null && (
                <Badge tone={TONES[String(level).toLowerCase()] ?? 'neutral'}>{plain(level)}</Badge>
              )}
              <span class="line">
                <Text text={plain(at(row.value, panel.text))} roomy />
              </span>
              <Facts fields={panel.fields} scope={{ ...scope, row: row.value }} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}
