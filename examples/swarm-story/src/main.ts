import { tellStory } from './index.ts'

await tellStory(process.argv[2] ?? 'http://127.0.0.1:7411', (line) => console.log(line))
