import { test } from 'node:test'
import { fleetStory } from './fleet-story.ts'

test('two runners end tasks of every kind in two repos as they should, once each, and leave nothing behind', (t) =>
  fleetStory(t, { runners: 2, tasks: 7, repos: 2 }))
