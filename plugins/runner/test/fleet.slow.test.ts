import { test } from 'node:test'
import { fleetStory } from './fleet-story.ts'

test('three runners end 60 tasks of every kind in five repos as they should, once each, and leave nothing behind', (t) =>
  fleetStory(t, { runners: 3, tasks: 60, repos: 5 }))
