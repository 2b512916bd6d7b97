import { type Methods, stringParam } from '../methods.ts'
import { inputResponses, NONE } from './known-answers.ts'
import { invalidParams } from './refusal.ts'
import { taskText } from './task-records.ts'
import type { Tasks } from './tasks.ts'

/** Acknowledged with an empty result: a client reads the task to see the outcome. */
const DONE = '{}'

export function taskMethods(tasks: Tasks): Methods {
  return {
    'tasks/get': async (params, { principal }) => taskText(await tasks.get(principal, stringParam(params, 'taskId'))),
    'tasks/update': async (params, { principal }) => {
      const taskId = stringParam(params, 'taskId')
      const given = inputResponses(params)
      if (given === NONE) throw invalidParams('inputResponses is missing')
      await tasks.update(principal, taskId, given)
      return DONE
    },
    'tasks/cancel': async (params, { principal }) => {
      await tasks.cancel(principal, stringParam(params, 'taskId'))
      return DONE
    },
  }
}
