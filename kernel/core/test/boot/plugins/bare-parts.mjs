const tool = { name: 'bare_tool', description: 'Was written by hand.', input: {}, output: {}, handle: async () => ({}) }
const handle = async () => {}

export default {
  id: 'bare-parts',
  sdk: '^1.0.0',
  description: 'Has parts that nothing made.',
  config: { kind: 'config', id: 'bare-parts' },
  tools: [undefined, tool],
  jobs: [{}],
  on: [{ event: { kind: 'event', id: 'built-in.event' }, uses: { notes: undefined }, handle }],
}
