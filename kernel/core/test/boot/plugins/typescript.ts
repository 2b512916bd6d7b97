export default { id: 'source', sdk: '^1.0.0', description: 'Was not compiled.' }
