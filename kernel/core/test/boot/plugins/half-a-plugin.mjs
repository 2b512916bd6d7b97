export default { id: 'half', description: 'Has no sdk range, and one tool that is no list.', tools: {} }
