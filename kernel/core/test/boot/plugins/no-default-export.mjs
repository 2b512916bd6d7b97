export const plugin = { id: 'shy', sdk: '^1.0.0', description: 'Exports itself by name only.' }
