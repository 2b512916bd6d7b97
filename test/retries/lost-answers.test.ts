import { test } from 'node:test'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { workWithoutKills } from './lost-answers.ts'

test('with a tenth of the answers lost, each of 200 calls with a key takes effect once', () => workWithoutKills(200, [trash, tasks]))
