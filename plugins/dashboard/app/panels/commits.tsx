import { useMemo } from 'preact/hooks'
import type { PanelOf } from '../contract.ts'
import { Time } from '../parts/value.tsx'
import { at } from '../pointer.ts'
import { plain } from '../text.ts'
import type { Drawn } from './drawn.ts'
import { type LaneRow, lanesOf } from './lanes.ts'
import { Facts } from './list.tsx'
import { nameOf, rowClass, Title, useRows, Waiting } from './rows.tsx'

const STEP = 14
/** Lanes beyond this are drawn over each other. */
const MAX_LANES = 10
const x = (lane: number): number => STEP * (Math.min(lane, MAX_LANES - 1) + 0.5)
const color = (lane: number): string => `lane-${lane % 6}`

/** Commits below each other, newest first, beside the lanes of their branches; each names those that it follows for screen readers. */
export function Commits({ panel, answer, scope, of }: Drawn<PanelOf<'commits'>>) {
  const { rows, waiting, hold, settle } = useRows(panel, answer, of)
  const lanes = useMemo(
    () =>
      lanesOf(
        rows.map(({ key, value }) => ({
          key,
          parents: [at(value, panel.parents) ?? []].flat().map(String),
          trunk: panel.trunk !== undefined && at(value, panel.trunk) === true,
        })),
      ),
    [rows],
  )
  const names = useMemo(() => new Map(rows.map(({ key, value }) => [key, nameOf(value, panel.head)])), [rows])
  const most = Math.max(...lanes.flatMap(({ lane, lower, passing }) => [lane, ...passing, ...lower.map(([, to]) => to)]), 0)
  const width = STEP * (Math.min(most, MAX_LANES - 1) + 1)
  return (
    <>
      <Waiting count={waiting} settle={settle} />
      <ol class="commits" {...hold}>
        {rows.map((row, index) => {
          const own = { ...scope, row: row.value }
          const parents = [at(row.value, panel.parents) ?? []].flat().map(String)
          return (
            <li key={row.key} class={rowClass(row)}>
              <Lanes row={lanes[index] as LaneRow} width={width} />
              <div class="item">
                <div class="title">
                  <Title field={panel.head} scope={own} open={panel.open} />
                  <span class="unseen">{inWords(parents.map((parent) => names.get(parent) ?? plain(parent).slice(0, 10)))}</span>
                </div>
                <Facts fields={panel.fields} scope={own} />
              </div>
              <div class="when">
                <Time value={at(row.value, panel.at)} />
              </div>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function inWords([first, ...merged]: readonly string[]): string {
  if (first === undefined) return ', the first commit'
  return merged.length === 0 ? `, follows “${first}”` : `, follows “${first}”, merges “${merged.join('”, “')}”`
}

function Lanes({ row: { lane, upper, lower, passing, continuesBelow }, width }: { row: LaneRow; width: number }) {
  return (
    <svg class="lanes" width={width} aria-hidden="true">
      {passing.map((one) => (
        <line key={`p${one}`} class={color(one)} x1={x(one)} y1="0%" x2={x(one)} y2="100%" />
      ))}
      {upper.map(([from, to]) => (
        <line key={`u${from}`} class={color(from)} x1={x(from)} y1="0%" x2={x(to)} y2="50%" />
      ))}
      {lower.map(([from, to]) => (
        <line key={`l${to}`} class={color(to)} x1={x(from)} y1="50%" x2={x(to)} y2="100%" />
      ))}
      {continuesBelow && <line class={`${color(lane)} older`} x1={x(lane)} y1="50%" x2={x(lane)} y2="100%" />}
      <circle class={color(lane)} cx={x(lane)} cy="50%" r="4" />
    </svg>
  )
}
