import type { Action, Operation, Undo } from '@gateway/sdk'
import { argumentFaults, linkFaults, originFault, pointerFault, type Scene } from './argument-faults.ts'
import { formFields, nameOf, neededBy, propertiesOf, uncallable } from './bindings.ts'
import type { LooseSchema } from './schema-walk.ts'

/** Faults of an action; its pointers point into `row`. */
export function actionFaults(action: Action<unknown>, row: readonly LooseSchema[] | undefined, scene: Scene, isMove = false): string[] {
  const called = calledBy(action.tool, scene)
  if (!('operation' in called)) return called.faults
  const { operation } = called
  const { name } = operation
  const reach = { row, column: isMove, asked: true }
  const given = action.arguments ?? {}
  const fields = formFields(action, operation)
  const faults = argumentFaults(operation, given, scene, reach)
  for (const field of fields)
    if (propertiesOf(operation)[field] === undefined) faults.push(`its form asks for ${field}, which ${name} does not take`)
  const missing = neededBy(operation).filter((argument) => !Object.hasOwn(given, argument) && !fields.includes(argument))
  if (missing.length > 0) faults.push(`${name} needs ${missing.join(', ')}, which it is not given`)
  if (operation.effect === 'destructive' && action.confirm === undefined) {
    faults.push(`${name} is destructive: a confirm must name what goes, and say what becomes of it`)
  }
  if (action.confirm) {
    const what = originFault(action.confirm.object, scene, reach)
    if (what !== undefined) faults.push(`its confirm: ${what}`)
    if (action.confirm.text.trim() === '') faults.push('its confirm says nothing')
  }
  const when = whenFault(action.when, row)
  if (when !== undefined) faults.push(`its when: ${when}`)
  const answer = [operation.output as LooseSchema]
  if (action.shows) {
    const what = pointerFault(answer, action.shows.text)
    if (what !== undefined) faults.push(`what it shows: ${what}`)
  }
  if (action.leads) faults.push(...linkFaults(action.leads, scene, { row: answer }))
  if (action.undo) faults.push(...undoFaults(action.undo, answer, row, scene).map((what) => `its undo: ${what}`))
  return faults
}

function whenFault(when: Action<unknown>['when'], row: readonly LooseSchema[] | undefined): string | undefined {
  if (when === undefined) return undefined
  return row === undefined ? 'there is no row' : pointerFault(row, when.pointer)
}

function undoFaults(
  { tool, arguments: given = {}, when }: Undo,
  answer: readonly LooseSchema[],
  before: readonly LooseSchema[] | undefined,
  scene: Scene,
): string[] {
  const called = calledBy(tool, scene)
  if (!('operation' in called)) return called.faults
  const { operation } = called
  const faults = argumentFaults(operation, given, scene, { row: answer, before, column: false, asked: false })
  const wrong = whenFault(when, before)
  if (wrong !== undefined) faults.push(`its when: ${wrong}`)
  const missing = neededBy(operation).filter((argument) => !Object.hasOwn(given, argument))
  if (missing.length > 0) faults.push(`${operation.name} needs ${missing.join(', ')}, which it is not given`)
  return faults
}

/** The operation behind a tool, or its faults; another plugin's tool that does not run is not a fault. */
function calledBy(tool: Operation | string, scene: Scene): { readonly operation: Operation } | { readonly faults: string[] } {
  const name = nameOf(tool)
  const operation = scene.operations.get(name)
  if (operation === undefined) return { faults: typeof tool === 'string' ? [] : [`it calls ${name}, which no running plugin lists`] }
  if (typeof tool !== 'string' && !scene.own.has(name)) return { faults: [`it calls ${name} of another plugin; give its name as a text`] }
  const why = uncallable(operation)
  return why === undefined ? { operation } : { faults: [`it calls ${name}, which ${why}`] }
}
