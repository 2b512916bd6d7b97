export default { id: 'stop-hangs', sdk: '^1.0.0', description: 'Never has stopped.', stop: () => new Promise(() => {}) }
