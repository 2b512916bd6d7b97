export default {
  id: 'start-hangs',
  sdk: '^1.0.0',
  description: 'Never has started.',
  start: ({ signal, log }) => new Promise(() => signal.addEventListener('abort', () => log.info('nobody waits any more'))),
}
