import {
  alertRaised,
  defineJob,
  definePlugin,
  defineRoute,
  defineService,
  defineTool,
  on,
  provide,
  provideProcess,
  Type,
} from '@gateway/sdk'

const closed = { additionalProperties: false }
const spec = {
  description: 'Answers, if its plugin ever starts.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  handle: async () => ({}),
}

/** Offers one of everything, so that a test can see that none of it is served. */
export default definePlugin({
  id: 'start-throws',
  sdk: '^1.0.0',
  description: 'Cannot start.',
  tools: [defineTool({ name: 'unstarted_tool', ...spec, rest: 'GET /api/unstarted' })],
  routes: [defineRoute({ name: 'unstarted.page', ...spec, rest: 'GET /unstarted' })],
  jobs: [defineJob('start-throws.job', { everySeconds: 60, run: async () => {} })],
  on: [on(alertRaised, { handle: async () => {} })],
  provides: [
    provide(defineService('start-throws.service'), { create: () => ({}) }),
    provideProcess(defineService('start-throws.process', 'process'), { create: () => ({}) }),
  ],
  start: async () => {
    throw new Error('no printer')
  },
})
