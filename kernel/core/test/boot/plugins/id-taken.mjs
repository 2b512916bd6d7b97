export default { id: 'built-in', sdk: '^1.0.0', description: 'Calls itself as a built-in plugin does.' }
