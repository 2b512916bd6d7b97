import { type DashboardPage, FORMATS, type Operation, type Panel, TONES } from '@gateway/sdk'
import { actionFaults } from './action-faults.ts'
import { argumentFaults, linkFaults, pointerFault, type Scene } from './argument-faults.ts'
import { nameOf, neededBy, propertiesOf, unreadable } from './bindings.ts'
import { boardColumns, fieldsOf } from './panel-fields.ts'
import { type LooseSchema, rowsAt, schemasAt } from './schema-walk.ts'

export function panelFaults(panel: Panel, page: DashboardPage, scene: Scene): string[] {
  if (panel.kind === 'form') return panel.action === undefined ? ['it has no action'] : actionFaults(panel.action, undefined, scene)
  if (panel.from === undefined) return ['it comes from no tool']
  const name = nameOf(panel.from)
  const operation = scene.operations.get(name)
  // Another plugin may be switched off; its panels then disappear.
  if (operation === undefined) return typeof panel.from === 'string' ? [] : [`it comes from ${name}, which no running plugin lists`]
  if (typeof panel.from !== 'string' && !scene.own.has(name)) return [`it comes from ${name} of another plugin; give its name as a text`]
  const why = unreadable(operation)
  if (why !== undefined) return [`it comes from ${name}, which ${why}`]
  if (operation.effect !== 'read') return [`it comes from ${name}, which does not only read`]
  return [...askingFaults(panel, operation, scene), ...wordFaults(panel, page, scene), ...placeFaults(panel, operation, scene)]
}

function askingFaults(panel: Panel, operation: Operation, scene: Scene): string[] {
  const properties = propertiesOf(operation)
  const given = panel.arguments ?? {}
  const filters = (panel.filters ?? []).map((filter) => (typeof filter === 'string' ? filter : filter.argument))
  const faults = argumentFaults(operation, given, scene, {})
  for (const filter of filters)
    if (properties[filter] === undefined) faults.push(`it filters by ${filter}, which ${operation.name} does not take`)
  const missing = neededBy(operation).filter((argument) => !Object.hasOwn(given, argument) && !filters.includes(argument))
  if (missing.length > 0) faults.push(`${operation.name} needs ${missing.join(', ')}, which it is not given`)
  if (panel.paging) {
    if (properties[panel.paging.cursor] === undefined) faults.push(`${operation.name} takes no ${panel.paging.cursor} for the cursor`)
    const what = pointerFault([operation.output as LooseSchema], panel.paging.next)
    if (what !== undefined) faults.push(`the next cursor: ${what}`)
  }
  if (panel.everySeconds !== undefined && !(panel.everySeconds >= 1)) faults.push('everySeconds must be 1 or more')
  return faults
}

function wordFaults({ empty, title }: Panel, { actions, panels }: DashboardPage, scene: Scene): string[] {
  const text = typeof empty === 'object' ? empty.text : empty
  const faults = text?.trim() ? [] : ['it does not say what it is when there is nothing (empty)']
  if (typeof title !== 'string' || title.trim() === '') faults.push('a title is missing')
  if (typeof empty !== 'object') return faults
  if ('link' in empty) return [...faults, ...linkFaults(empty.link, scene, {})]
  const known = [...actions, ...panels.flatMap(({ action }) => (action ? [action] : []))]
  return known.some(({ id }) => id === empty.action)
    ? faults
    : [...faults, `its next step is the action ${empty.action}, which the page has not`]
}

const POINTERS_INTO_ROW = ['key', 'column', 'at', 'until', 'level', 'x', 'names', 'start', 'end', 'parents', 'trunk'] as const

function placeFaults(panel: Panel, operation: Operation, scene: Scene): string[] {
  const answer = [operation.output as LooseSchema]
  const faults: string[] = []
  const expect = (what: string, schemas: readonly LooseSchema[], pointer: string | undefined): void => {
    if (pointer === undefined || pointer === '/$key') return
    const wrong = pointerFault(schemas, pointer)
    if (wrong !== undefined) faults.push(`${what}: ${wrong}`)
  }
  const rows = (what: string, pointer: string | undefined): readonly LooseSchema[] => {
    if (pointer === undefined) return answer
    const wrong = pointerFault(answer, pointer)
    const found = wrong === undefined ? rowsAt(answer, pointer) : []
    if (found.length === 0) faults.push(`${what}: ${wrong ?? `${pointer} leads to no list`}`)
    return found.length > 0 ? found : [{}]
  }
  const row = panel.record === undefined ? rows('rows', panel.rows ?? panel.nodes) : recordAt(panel.record)
  function recordAt(pointer: string): readonly LooseSchema[] {
    expect('record', answer, pointer)
    return schemasAt(answer, pointer)
  }
  for (const name of POINTERS_INTO_ROW) expect(name, row, panel[name])
  for (const [name, pointer] of Object.entries(panel.node ?? {})) expect(`node ${name}`, row, pointer)
  if (panel.edge) {
    const edge = rows('edges', panel.edges)
    for (const [name, pointer] of Object.entries(panel.edge)) expect(`edge ${name}`, edge, pointer)
  }
  for (const [label, field] of fieldsOf(panel)) {
    expect(label, row, field.value)
    for (const name of ['beside', 'page', 'trend'] as const) expect(`${label} ${name}`, row, field[name])
    for (const name of ['limit', 'stopsAt'] as const) {
      const pointer = field[name]
      if (typeof pointer === 'string') expect(`${label} ${name}`, row, pointer)
    }
    if (field.format !== undefined && !FORMATS.includes(field.format))
      faults.push(`${label}: the format must be one of ${FORMATS.join(', ')}`)
    for (const tone of Object.values(field.tones ?? {}))
      if (!TONES.includes(tone)) faults.push(`${label}: the tone must be one of ${TONES.join(', ')}`)
    if (field.link) faults.push(...linkFaults(field.link, scene, { row }))
  }
  if (panel.kind === 'board' && boardColumns(panel).length === 0) faults.push('it has no columns')
  if (panel.link) faults.push(...linkFaults(panel.link, scene, {}))
  if (panel.open) faults.push(...linkFaults(panel.open, scene, { row }))
  for (const action of panel.actions ?? []) for (const what of actionFaults(action, row, scene)) faults.push(`action ${action.id}: ${what}`)
  if (panel.move) for (const what of actionFaults(panel.move, row, scene, true)) faults.push(`its move: ${what}`)
  return faults
}
