import { test } from 'node:test'
import { workWithLostAnswers } from './lost-answers.ts'

test('with lost answers and a kill, each of 200 calls with a key takes effect once', { timeout: 300_000 }, () =>
  workWithLostAnswers(200, 300, 1),
)
