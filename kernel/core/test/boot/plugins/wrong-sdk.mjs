export default { id: 'from-the-future', sdk: '^9.0.0', description: 'Was written for another SDK.' }
